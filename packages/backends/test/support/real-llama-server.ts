import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DetectEnginesOptions,
  type DetectedEngine,
  detectEngines,
} from '../../src/detect/index.js'
import { findFreePort } from '../../src/launch/port.js'
import { referenceModelPath } from './fixtures.js'

export interface RealLlamaServer extends AsyncDisposable {
  readonly url: string
  readonly processId: number | undefined
  /** Every different thing that detection said until the server was ready. */
  readonly seen: readonly DetectedEngine[]
}

/** How to start it, beside one thread and a context of 1024 tokens for each slot. */
export interface RealLlamaServerOptions {
  /** Default 1. */
  readonly slots?: number
  readonly apiKey?: string
  readonly flags?: readonly string[]
}

/** Starts a real llama-server with the reference model and waits until detection finds it ready. */
export async function startRealLlamaServer(
  binary: string,
  { slots = 1, apiKey, flags = [] }: RealLlamaServerOptions = {},
): Promise<RealLlamaServer> {
  const port = await findFreePort()
  const context = ['-c', String(1024 * slots), '-np', String(slots), '--no-kv-unified']
  const limits = ['-t', '1', '-tb', '1', '--no-ui', ...context]
  const key = apiKey === undefined ? [] : ['--api-key', apiKey]
  const child = spawn(
    binary,
    [
      '-m',
      referenceModelPath,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      ...limits,
      ...key,
      ...flags,
    ],
    { stdio: 'ignore' },
  )
  return {
    url: `http://127.0.0.1:${port}`,
    processId: child.pid,
    seen: await watchUntilReady(child, {
      ports: [port],
      ...(apiKey === undefined ? {} : { apiKey }),
    }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function watchUntilReady(
  child: ChildProcess,
  options: DetectEnginesOptions,
): Promise<DetectedEngine[]> {
  const seen: DetectedEngine[] = []
  for (let look = 0; look < 500; look += 1) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`)
    const [engine] = await detectEngines(options)
    if (engine !== undefined) seen.push(engine)
    if (engine?.missing.length === 0) return seen
    await sleep(10)
  }
  throw new Error('llama-server was never ready')
}
