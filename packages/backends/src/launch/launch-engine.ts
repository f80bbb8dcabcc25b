import { basename } from 'node:path'
import { EnergyBenchError } from '@energy-bench/spec'
import { monotonicS } from '../shared/monotonic.js'
import { type EngineLog, openEngineLog } from './engine-log.js'
import { type EngineProcess, startProcess } from './engine-process.js'
import { type EngineExit, engineEnded, neverReady } from './launch-errors.js'
import { checkPortFree } from './port.js'
import { waitUntilReady } from './wait-until-ready.js'

/** How an engine is started, watched and stopped, whichever it is. */
export interface LaunchOptions {
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Seconds until the engine must be ready. Default 600. */
  readonly readyTimeoutS?: number
  /** Stops the start. An engine that is ready is stopped by `stop`. */
  readonly signal?: AbortSignal
  /** File to which the output is added. Default: a temporary one, deleted when the engine is stopped in order. */
  readonly logPath?: string
  /** Seconds between asking the engine to end and killing it. Default 10; llama-server 2, vLLM 30. */
  readonly stopGraceS?: number
}

/** Which program to start as an engine. */
export interface LaunchEngineOptions extends LaunchOptions {
  /** Path, or a name on the PATH. It must stay in the foreground. */
  readonly command: string
  readonly args?: readonly string[]
  /** Route on 127.0.0.1 that answers with a 2xx when the engine is ready. */
  readonly readyUrl: string
  /** What to do when there is no such program, one sentence. */
  readonly missingFix?: string
}

/** An engine that was started here and is ready. */
export interface LaunchedEngine<Options = LaunchEngineOptions> extends AsyncDisposable {
  readonly baseUrl: string
  /** The process that was started; it leads the process group of the engine. */
  readonly processId: number
  readonly args: readonly string[]
  readonly logPath: string
  /** From the start of the process until it was ready, on the clock of the meter. */
  readonly loading: { readonly startS: number; readonly endS: number }
  /** The same as a duration. */
  readonly loadS: number
  /** How it ended; null while it runs. */
  exit(): EngineExit | null
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<void>
  /** Default 20 lines, without colours; also after `stop`. */
  lastLogLines(count?: number): Promise<readonly string[]>
  /** Ends the engine and everything that it started, and resolves when nothing of it runs any more. */
  stop(): Promise<void>
  /** Stops it and starts another with some options changed. */
  restart(changes: Partial<Options>): Promise<LaunchedEngine<Options>>
}

/**
 * Starts an engine as a process group of its own and waits until it is ready. The engine ends with this process,
 * however that ends. Nothing is ever downloaded.
 *
 * @example
 * const readyUrl = `http://127.0.0.1:${port}/health`
 * await using engine = await launchEngine({ command: 'my-engine', args: ['--port', `${port}`], readyUrl })
 */
export async function launchEngine(options: LaunchEngineOptions): Promise<LaunchedEngine> {
  const { signal } = options
  checkPlatform()
  signal?.throwIfAborted()
  await checkPortFree(Number(new URL(options.readyUrl).port))
  const log = await openEngineLog(options.logPath)
  const startS = monotonicS()
  const started = await startLogged(options, log)
  try {
    await mustBeReady(options, started, log)
  } catch (error) {
    await started.stop()
    if (signal?.aborted === true) await log.discard()
    throw error
  }
  return createHandle(options, { started, log, loading: { startS, endS: monotonicS() } })
}

function checkPlatform(): void {
  if (process.platform !== 'win32') return
  throw new EnergyBenchError('environment-invalid', 'Engines cannot be launched on Windows.', {
    fix: 'Start the engine yourself and attach to it, for example with createLlamaServer({ baseUrl }).',
  })
}

async function startLogged(options: LaunchEngineOptions, log: EngineLog): Promise<EngineProcess> {
  const { command, args = [], env = {}, stopGraceS = 10 } = options
  const missingFix = options.missingFix ?? `Install ${basename(command)}, or give its path.`
  try {
    return await startProcess({
      command,
      args,
      env,
      missingFix,
      stopGraceS,
      output: log.descriptor,
    })
  } catch (error) {
    await log.discard()
    throw error
  } finally {
    await log.closeDescriptor()
  }
}

async function mustBeReady(
  { command, readyUrl, readyTimeoutS = 600, signal }: LaunchEngineOptions,
  started: EngineProcess,
  log: EngineLog,
): Promise<void> {
  const wanted = { url: readyUrl, timeoutS: readyTimeoutS }
  const result = await waitUntilReady(started, wanted, signal)
  const remains = { name: basename(command), log }
  const exit = started.exit()
  if (exit !== null) throw await engineEnded(remains, exit, { when: 'before it was ready' })
  if (result === 'timeout') throw await neverReady(remains, readyUrl, readyTimeoutS)
}

interface Launched {
  readonly started: EngineProcess
  readonly log: EngineLog
  readonly loading: LaunchedEngine['loading']
}

function createHandle(
  options: LaunchEngineOptions,
  { started, log, loading }: Launched,
): LaunchedEngine {
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopLogged(started, log)
    return stopping
  }
  return {
    baseUrl: new URL(options.readyUrl).origin,
    processId: started.processId,
    args: options.args ?? [],
    logPath: log.path,
    loading,
    loadS: loading.endS - loading.startS,
    exit: started.exit,
    ended: started.ended,
    lastLogLines: (count = 20) => log.lastLines(count),
    stop,
    async restart(changes) {
      await stop()
      return launchEngine({ ...options, ...changes })
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** The log of an engine that ended by itself is kept: it may say why. */
async function stopLogged(started: EngineProcess, log: EngineLog): Promise<void> {
  const isOrderly = started.exit() === null
  await started.stop()
  if (isOrderly) await log.discard()
}
