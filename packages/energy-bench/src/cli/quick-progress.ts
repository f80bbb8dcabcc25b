import type { Progress } from '@energy-bench/sweep'
import type { QuickEvent } from '../quick/run-quick.js'
import { liveText } from './live-text.js'
import type { ProgressLine } from './progress-line.js'

type Handlers = {
  readonly [Type in QuickEvent['type']]?: (event: Extract<QuickEvent, { type: Type }>) => void
}

/** `NVML: library-missing: ...`: a meter that is not here. `doctor` lists those with their remedies. */
function isPassedOver(sentence: string): boolean {
  return /^[^:]+: [a-z-]+: /.test(sentence)
}

/** Turns the events of a quick run into lines for people. `now` is in seconds. */
export function createQuickProgress(
  line: ProgressLine,
  now: () => number = () => performance.now() / 1000,
): (event: QuickEvent) => void {
  const startS = now()
  const said = new Set<string>()
  let cells = 1
  let doneCells = 0
  let label = ''
  const show = (progress: Progress) => {
    const ratio = (doneCells + progress.done / progress.total) / cells
    const leftS = ratio > 0 ? ((now() - startS) / ratio) * (1 - ratio) : null
    line.update(ratio, liveText(label, progress, leftS))
  }
  const handlers: Handlers = {
    plan(event) {
      cells = event.cells
    },
    skip({ name, why }) {
      cells -= 1
      line.say(`${name}: thinking on and off are one configuration, ${why}.`)
    },
    meter({ selection }) {
      const news = selection.filter((sentence) => !said.has(sentence) && !isPassedOver(sentence))
      for (const sentence of news) line.say(`Meter: ${sentence}`)
      for (const sentence of news) said.add(sentence)
    },
    measure({ event }) {
      if (event.type === 'cell-start') label = event.label
      if (event.type === 'item-end') show(event.progress)
      if (event.type === 'cell-end') doneCells += 1
    },
  }
  return (event) => {
    const handler = handlers[event.type] as ((event: QuickEvent) => void) | undefined
    handler?.(event)
  }
}
