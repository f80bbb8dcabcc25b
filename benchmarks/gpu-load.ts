import { type ChildProcess, spawn } from 'node:child_process'

/** A rhythm of load; without rest it is steady. */
export interface LoadRhythm {
  readonly onMs: number
  readonly offMs: number
  readonly durationS: number
}

const READY_WITHIN_MS = 120_000

/** Fills a rhythm into the template of the command. */
export function loadCommand(template: string, rhythm: LoadRhythm): string {
  return template
    .replaceAll('{onMs}', String(rhythm.onMs))
    .replaceAll('{offMs}', String(rhythm.offMs))
    .replaceAll('{durationS}', String(rhythm.durationS))
}

/** Starts the load and waits until it says that it runs; disposing ends it. */
export async function startLoad(command: string): Promise<AsyncDisposable> {
  // A group of its own, so that what the shell starts ends with it.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    endGroup(child)
    await ended
  }
  try {
    await untilReady(child)
  } catch (error) {
    await stop()
    throw error
  }
  return { [Symbol.asyncDispose]: stop }
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(
      () => reject(new Error(`the load was not ready within ${READY_WITHIN_MS / 1000} s`)),
      READY_WITHIN_MS,
    )
    child.stdout?.on('data', (chunk) => {
      said += String(chunk)
      if (!said.includes('ready')) return
      clearTimeout(timer)
      resolve()
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      reject(new Error(`the load ended with code ${code} before it was ready`))
    })
  })
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It ended between the look and the signal.
  }
}
