import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { startGuard } from './guard.js'
import { type EngineExit, notStarted } from './launch-errors.js'
import { stopGroup } from './process-group.js'

/** What to start, and where its output goes. */
export interface ProcessPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What to do when there is no such program. */
  readonly missingFix: string
  readonly stopGraceS: number
  /** Descriptor for stdout and stderr. */
  readonly output: number
}

/** A program that leads a process group of its own. */
export interface EngineProcess {
  readonly processId: number
  /** Null while it runs. */
  exit(): EngineExit | null
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  /** Ends it and everything that it started. Any number of calls do it once. */
  stop(): Promise<void>
}

/** Starts a program under a guard. It does not keep this process from ending, and does not outlive it. */
export async function startProcess(plan: ProcessPlan): Promise<EngineProcess> {
  const guard = await startGuard(plan.stopGraceS)
  const child = spawn(plan.command, plan.args, {
    detached: true,
    env: { ...process.env, ...plan.env },
    stdio: ['ignore', plan.output, plan.output],
  })
  if (child.pid !== undefined) guard.watch(child.pid)
  try {
    await once(child, 'spawn')
  } catch (error) {
    guard.release()
    throw notStarted(plan.command, plan.missingFix, error)
  }
  child.unref()
  return watchProcess(child, async (groupId) => {
    await stopGroup(groupId, plan.stopGraceS)
    guard.release()
  })
}

function watchProcess(
  child: ChildProcess,
  stopAll: (groupId: number) => Promise<void>,
): EngineProcess {
  const processId = child.pid ?? 0
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopAll(processId)
    return stopping
  }
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve()
      // What it started must not stay behind; whoever calls `stop` gets the error.
      stop().catch(() => {})
    })
  })
  return { processId, exit: () => exitOf(child), ended, stop }
}

function exitOf({ exitCode, signalCode }: ChildProcess): EngineExit | null {
  return exitCode === null && signalCode === null ? null : { code: exitCode, signal: signalCode }
}
