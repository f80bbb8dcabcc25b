import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort, type LaunchEngineOptions } from '../../src/launch/index.js'

/** What the fake engine shall do. */
export interface FakeEnginePlan {
  /** 503 that many times before it is ready. */
  readonly looksUntilReady?: number
  /** Ends with this code before it listens. */
  readonly dies?: number
  readonly ignoresTerm?: boolean
  /** Starts a process of its own and writes its id. */
  readonly child?: boolean
  /** Lines written at the start. */
  readonly floods?: number
}

const script = fileURLToPath(new URL('./fake-engine.mjs', import.meta.url))

/** Options that launch a real process which is a fake engine. */
export async function fakeEngine(plan: FakeEnginePlan = {}): Promise<LaunchEngineOptions> {
  const port = await findFreePort()
  return {
    command: process.execPath,
    args: [script, JSON.stringify({ ...plan, port })],
    readyUrl: `http://127.0.0.1:${port}/health`,
  }
}

/** Whether a process runs; one that has ended and is not yet collected does not. */
export async function runs(processId: number): Promise<boolean> {
  try {
    process.kill(processId, 0)
  } catch {
    return false
  }
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => ') R')
  return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
}

/** Process ids that the fake engine wrote. */
export function childrenIn(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line) => line.match(/^child (\d+)$/)?.[1] ?? []).map(Number)
}
