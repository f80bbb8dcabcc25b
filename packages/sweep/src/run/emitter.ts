import type { MeasureEvent } from './events.js'

/** Hands events to the caller without holding up the run, and keeps the first rejection. */
export interface Emitter {
  emit(event: MeasureEvent): void
  /** Runs on beside the loop; a rejection stops the run at the next `check`. */
  track(work: Promise<void>): void
  /** Throws the first rejection so far. */
  check(): void
  /** Waits for everything given so far. Never rejects. */
  settle(): Promise<void>
}

/** An emitter around the caller's listener, which may be asynchronous. */
export function createEmitter(onEvent?: (event: MeasureEvent) => void | Promise<void>): Emitter {
  const pending: Promise<void>[] = []
  const failures: unknown[] = []
  const track = (work: Promise<void>) => {
    pending.push(collect(work, failures))
  }
  return {
    track,
    emit: (event) => track(callListener(event, onEvent)),
    check() {
      if (failures.length > 0) throw failures[0]
    },
    async settle() {
      // What is pending may add more: the energy of an item resolves, and then its event is emitted.
      while (pending.length > 0) await Promise.all(pending.splice(0))
    },
  }
}

async function collect(work: Promise<void>, failures: unknown[]): Promise<void> {
  try {
    await work
  } catch (error) {
    failures.push(error)
  }
}

async function callListener(
  event: MeasureEvent,
  onEvent: ((event: MeasureEvent) => void | Promise<void>) | undefined,
): Promise<void> {
  await onEvent?.(event)
}
