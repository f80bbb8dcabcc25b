/** A value that is restored when the process ends. */
export interface ExitHold {
  /** Aborts when a signal asks the process to end and the application handles that signal itself. */
  readonly signal: AbortSignal
  /** The value is restored: nothing is left to do at the end. */
  forget(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const holds = new Map<AbortController, () => void>()

/** Runs `restore`, which must not wait, when the process exits or is ended by a signal. */
export function restoreOnExit(restore: () => void): ExitHold {
  const controller = new AbortController()
  if (holds.size === 0) listen()
  holds.set(controller, restore)
  return {
    signal: controller.signal,
    forget() {
      if (holds.delete(controller) && holds.size === 0) stopListening()
    },
  }
}

function listen(): void {
  process.on('exit', restoreAll)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

function stopListening(): void {
  process.off('exit', restoreAll)
  for (const signal of SIGNALS) process.off(signal, onSignal)
}

function restoreAll(): void {
  for (const restore of holds.values()) {
    try {
      restore()
    } catch {
      // Nobody is left to be told; the lock file stays and tells the next one. The other values still come back.
    }
  }
}

function onSignal(signal: NodeJS.Signals): void {
  // The application decides when it ends: stop the work, whose end restores the value.
  if (process.listenerCount(signal) > 1) {
    const reason = new DOMException(`The process received ${signal}.`, 'AbortError')
    for (const controller of holds.keys()) controller.abort(reason)
    return
  }
  restoreAll()
  holds.clear()
  stopListening()
  // Without a listener the signal does what it would have done without us.
  process.kill(process.pid, signal)
}
