import type { ArrivalClock } from '../../src/arrival/index.js'

/** A clock that jumps to the next wake-up whenever nothing else is left to do. */
export interface VirtualClock extends ArrivalClock {
  /** Moves time on until the promise has settled. */
  runUntil<Value>(promise: Promise<Value>): Promise<Value>
}

interface Timer {
  readonly atS: number
  fire(): void
}

export function createVirtualClock(startS = 0): VirtualClock {
  const timers: Timer[] = []
  let nowS = startS
  return {
    now: () => nowS,
    sleep: (durationS, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal?.reason)
        signal?.addEventListener('abort', abort, { once: true })
        timers.push({
          atS: nowS + durationS,
          fire() {
            signal?.removeEventListener('abort', abort)
            resolve()
          },
        })
      }),
    async runUntil(promise) {
      let isSettled = false
      const settle = () => {
        isSettled = true
      }
      promise.then(settle, settle)
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        if (isSettled) return promise
        const next = timers.toSorted((a, b) => a.atS - b.atS)[0]
        if (next === undefined) throw new Error('nothing waits, and the promise is not settled')
        timers.splice(timers.indexOf(next), 1)
        nowS = Math.max(nowS, next.atS)
        next.fire()
      }
    },
  }
}
