import process from 'node:process'
import { exitCodes, InterruptedError } from './exit-codes.js'

/**
 * Turns the first Ctrl-C (or SIGTERM) into an abort, so that finished items are kept, and the second into an
 * immediate end. Files are appended line by line or written beside and renamed, so that no half file stays.
 */
export function watchInterrupts(say: (text: string) => void): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted)
    say('Stopping after this token; finished items are kept. Press Ctrl-C again to end at once.')
    controller.abort(new InterruptedError())
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
