/** Memory that two threads share, in which one says that it has heard the other. */
export function createAnswer(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Says that a message was heard. */
export function giveAnswer(answer: Int32Array): void {
  Atomics.store(answer, 0, 1)
  Atomics.notify(answer, 0)
}

/** Forgets what was said before. */
export function clearAnswer(answer: Int32Array): void {
  Atomics.store(answer, 0, 0)
}

/** Blocks this thread until the other has answered, at most for so long; tells whether it has. */
export function waitForAnswer(answer: Int32Array, waitMs: number): boolean {
  return Atomics.wait(answer, 0, 0, Math.max(0, waitMs)) !== 'timed-out'
}
