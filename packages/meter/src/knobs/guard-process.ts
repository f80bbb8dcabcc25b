import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { EnergyBenchError } from '@energy-bench/spec'

/** A process that restores a value when this one ends without having done so, even by `kill -9`. */
export interface Guard {
  isRunning(): boolean
  /** Tells it that the value is restored; it deletes the lock file and ends. */
  dismiss(): Promise<void>
  /** Lets it restore the value now; true when it did. */
  takeOver(): Promise<boolean>
}

/** Options of `startGuard`. */
export interface GuardOptions {
  readonly lockPath: string
  readonly nvmlLibraryPath?: string
  /** The built entry `guard.js`; by default the one beside this file. */
  readonly guardPath?: URL | string
}

/** The word that says that nothing is left to restore. */
export const RESTORED = 'restored\n'
/** The word that says that the guard could restore. */
export const READY = 'ready\n'

const START_LIMIT_MS = 10_000
const END_LIMIT_MS = 5_000

/** Starts a guard and waits until it has read the lock file and opened the GPU. */
export async function startGuard(options: GuardOptions): Promise<Guard> {
  const guardPath = options.guardPath ?? new URL('./guard.js', import.meta.url)
  const script = guardPath instanceof URL ? fileURLToPath(guardPath) : guardPath
  const library = options.nvmlLibraryPath === undefined ? [] : [options.nvmlLibraryPath]
  const child = spawn(process.execPath, [script, options.lockPath, ...library], {
    // A session of its own: Ctrl-C in the terminal does not reach it.
    detached: true,
    stdio: 'pipe',
    windowsHide: true,
  })
  // It may die before it is told anything.
  child.stdin.on('error', () => {})
  const problem = await problemAtStart(child)
  if (problem !== undefined) {
    child.kill('SIGKILL')
    throw new EnergyBenchError('environment-invalid', `the guard ${script} failed: ${problem}`, {
      fix: 'Without a guard a killed process would leave the GPU changed, so nothing was set. Reinstall the package if guard.js is missing.',
    })
  }
  child.stdout.destroy()
  child.stderr.destroy()
  // It must not keep a process alive that has nothing left to do.
  child.unref()
  return createGuard(child)
}

function problemAtStart(child: ChildProcessWithoutNullStreams): Promise<string | undefined> {
  return new Promise((resolve) => {
    let heard = ''
    const finish = (problem?: string) => {
      clearTimeout(timer)
      resolve(problem)
    }
    const timer = setTimeout(
      () => finish(`it was not ready within ${START_LIMIT_MS / 1000} s`),
      START_LIMIT_MS,
    )
    child.stdout.on('data', (bytes) => {
      heard += bytes
      if (heard.includes(READY)) finish()
    })
    child.stderr.on('data', (bytes) => {
      heard += bytes
    })
    child.on('error', (error) => finish(error.message))
    child.on('close', (code) => finish(heard.trim() || `it ended with code ${code}`))
  })
}

function createGuard(child: ChildProcessWithoutNullStreams): Guard {
  return {
    isRunning: () => !hasEnded(child),
    async dismiss() {
      child.stdin.end(RESTORED)
      await ended(child)
    },
    async takeOver() {
      child.stdin.end()
      await ended(child)
      return child.exitCode === 0
    },
  }
}

function hasEnded(child: ChildProcessWithoutNullStreams): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
  await new Promise((resolve) => child.once('exit', resolve))
  clearTimeout(timer)
}
