/** Lets text through until one of the stop words comes, wherever the chunks are cut. */
export interface StopCutter {
  readonly isStopped: boolean
  push(text: string): string
  /** Gives out what was held back as a possible beginning of a stop word. */
  end(): string
}

/** Makes a cutter. The stop word itself is not given out. */
export function createStopCutter(stop: readonly string[]): StopCutter {
  const words = stop.filter((word) => word !== '')
  let held = ''
  let isStopped = false

  function release(length: number): string {
    const text = held.slice(0, length)
    held = held.slice(length)
    return text
  }

  return {
    get isStopped() {
      return isStopped
    },
    push(text) {
      held += text
      const start = firstStop(held, words)
      if (start === undefined) return release(held.length - longestBeginning(held, words))
      isStopped = true
      const before = release(start)
      held = ''
      return before
    },
    end: () => release(held.length),
  }
}

/** Start of the word that is complete first, so that the size of the chunks does not matter. */
function firstStop(text: string, words: readonly string[]): number | undefined {
  const found = words
    .map((word) => ({ start: text.indexOf(word), length: word.length }))
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start + a.length - b.start - b.length || a.start - b.start)
  return found[0]?.start
}

function longestBeginning(text: string, words: readonly string[]): number {
  return Math.max(0, ...words.map((word) => beginningLength(text, word)))
}

function beginningLength(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1) {
    if (word.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
