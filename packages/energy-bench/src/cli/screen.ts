import type { ProgressStream } from './progress-line.js'

/** A block of lines that is drawn over itself on a terminal, and line after line elsewhere. */
export interface Screen extends Disposable {
  readonly columns: number
  draw(rows: readonly string[]): void
}

/** Makes a screen on a stream. */
export function createScreen(stream: ProgressStream): Screen {
  const isTerminal = stream.isTTY === true
  let drawn = 0
  return {
    columns: (stream.columns ?? 80) - 1,
    draw(rows) {
      const back = isTerminal && drawn > 0 ? `\u001b[${drawn}A` : ''
      const clear = isTerminal ? '\u001b[2K' : ''
      stream.write(`${back}${rows.map((row) => `${clear}${row}\n`).join('')}`)
      drawn = rows.length
    },
    [Symbol.dispose]() {},
  }
}
