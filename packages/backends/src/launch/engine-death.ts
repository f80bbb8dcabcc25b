import { type GenerateEvent, isEnergyBenchError } from '@energy-bench/spec'
import { sleep } from '../shared/sleep.js'
import type { LaunchedEngine } from './launch-engine.js'
import { engineEnded } from './launch-errors.js'

/** A connection breaks a moment before the end of its process is known. */
const exitWaitS = 0.5

/** What a client sees when its server dies. */
const brokenCodes: ReadonlySet<string> = new Set([
  'backend-unavailable',
  'backend-failed',
  'stream-cut',
])

type Dying = Pick<LaunchedEngine, 'exit' | 'ended' | 'logPath' | 'lastLogLines'>

/** Turns errors of a connection into the death of the engine, where that is the cause. `stopped`: it was meant to end. */
export function explaining(name: string, engine: Dying, stopped: AbortSignal) {
  const explainError = async (error: unknown, signal: AbortSignal | undefined) => {
    if (signal?.aborted === true || stopped.aborted || !isEnergyBenchError(error)) return error
    if (!brokenCodes.has(error.code)) return error
    await Promise.race([engine.ended, sleep(exitWaitS)])
    const exit = engine.exit()
    if (exit === null) return error
    const log = { path: engine.logPath, lastLines: engine.lastLogLines }
    return engineEnded({ name, log }, exit, { when: 'while it was used', cause: error })
  }
  return {
    error: explainError,
    async *stream(
      events: AsyncIterable<GenerateEvent>,
      signal: AbortSignal | undefined,
    ): AsyncGenerator<GenerateEvent, void, undefined> {
      try {
        yield* events
      } catch (error) {
        throw await explainError(error, signal)
      }
    },
  }
}
