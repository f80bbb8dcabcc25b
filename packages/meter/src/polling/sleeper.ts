/** Timers that can all be cut short at once. */
export interface Sleeper {
  /** Resolves after so many seconds, or at `wake`. */
  sleep(durationS: number): Promise<void>
  /** Ends every sleep, now and from now on. */
  wake(): void
}

/** Makes a sleeper; plain timers, since an abort signal for each would cost as much as the poll. */
export function createSleeper(): Sleeper {
  const sleeping = new Map<NodeJS.Timeout, () => void>()
  let isAwake = false
  return {
    sleep(durationS) {
      if (isAwake) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          sleeping.delete(timer)
          resolve()
        }, 1000 * durationS)
        sleeping.set(timer, resolve)
      })
    },
    wake() {
      isAwake = true
      for (const [timer, resolve] of sleeping) {
        clearTimeout(timer)
        resolve()
      }
      sleeping.clear()
    },
  }
}
