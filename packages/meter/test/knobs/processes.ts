import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildOrder } from './hold-child.js'

/** A child that was started with an order. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  readonly exited: Promise<readonly unknown[]>
  /** The next line that it says. */
  nextLine(): Promise<string>
}

/** Starts the built child. */
export function startChild(script: string, order: ChildOrder): Child {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: 'pipe' })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    process: child,
    exited: once(child, 'exit'),
    async nextLine() {
      const { value } = await lines.next()
      return value
    },
  }
}

const PATIENCE_MS = 15_000

/** Looks again and again until it is so; fails after a deadline with what is there instead. */
export async function eventually(check: () => void): Promise<void> {
  const giveUpMs = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return check()
    } catch (error) {
      if (performance.now() > giveUpMs) throw error
    }
    await sleep(10)
  }
}

/** Numbers of the guard processes whose lock files are in a folder. */
export function guardsOf(stateDir: string): readonly number[] {
  const lines = execFileSync('ps', ['-ww', '-axo', 'pid=,command='], { encoding: 'utf8' }).split(
    '\n',
  )
  const guards = lines.filter((line) => line.includes('guard.js') && line.includes(stateDir))
  return guards.map((line) => Number.parseInt(line, 10))
}
