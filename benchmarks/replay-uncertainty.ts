import { createTimeline, type Timeline } from '@energy-bench/meter'
import { isUnavailable } from '@energy-bench/spec'

/** From and until, seconds since the first poll of the recording. */
export type Window = readonly [startS: number, endS: number]

/** What the engine did, and when. */
export interface Windows {
  readonly idle: Readonly<Record<string, Window>>
  readonly repetitions: Readonly<Record<string, readonly Window[]>>
  readonly items: Readonly<Record<string, readonly (readonly Window[])[]>>
}

/** Scatter of the repetitions, and what the stated uncertainty makes one expect. */
export function scatterOf(
  timeline: Timeline,
  windows: Windows,
  idle: Readonly<Record<string, number>>,
): Record<string, number> {
  const cellFigures = Object.entries(windows.repetitions).map(([cell, list]) => {
    const idleW = idle[cell.split('|')[0] ?? ''] ?? Number.NaN
    const readings = list.map((window) => reading(timeline, window))
    const netJ = readings.map((one) => one.energyJ - idleW * one.durationS)
    return compared(cell, deviation(netJ), rms(readings.map((one) => one.uncertaintyJ)))
  })
  const items = (windows.items['m_f16.gguf|short'] ?? []).map((runs) =>
    runs.map((window) => reading(timeline, window)),
  )
  const observedJ = rms(items.map((runs) => deviation(runs.map((one) => one.energyJ))))
  const predictedJ = rms(items.flat().map((one) => one.uncertaintyJ))
  return Object.assign({}, ...cellFigures, compared('items', observedJ, predictedJ))
}

/** Error that leaving out every second change makes, against the stated uncertainty of what is left. */
export function thinnedOf(timeline: Timeline, windows: Windows): Record<string, number> {
  const coarse = [0, 1].map((parity) => thin(timeline, parity))
  const kinds = { ...windows.repetitions, items: Object.values(windows.items).flat(2) }
  const figures = Object.entries(kinds).map(([kind, list]) => {
    const all = (list as readonly Window[]).flatMap((window) => {
      const truthJ = reading(timeline, window).energyJ
      return coarse.map((one) => ({ truthJ, ...reading(one, window) }))
    })
    const errorsJ = all.map((one) => one.energyJ - one.truthJ)
    const name = `thinned ${kind}`
    return {
      ...compared(name, rms(errorsJ), rms(all.map((one) => one.uncertaintyJ))),
      [`${name} within 2 u %`]:
        (100 *
          all.filter((one, index) => Math.abs(errorsJ[index] ?? 0) <= 2 * one.uncertaintyJ)
            .length) /
        all.length,
    }
  })
  return Object.assign({}, ...figures)
}

/** Each second change alone, polled just before and just after. */
function thin(timeline: Timeline, parity: number): Timeline {
  const coarse = createTimeline({ method: 'counter', type: 'tick', maxPowerW: 1050 })
  let beforeJ: number | undefined
  for (const point of timeline.points().filter((_, index) => index % 2 === parity)) {
    if ('powerW' in point) continue
    const { timeS, halfWidthS = 0, energyJ } = point
    const add = (valueJ: number, pollS: number): void =>
      coarse.add({ type: 'energy', energyJ: valueJ }, pollS, pollS)
    if (beforeJ !== undefined) add(beforeJ, timeS - halfWidthS)
    add(energyJ, timeS + halfWidthS)
    beforeJ = energyJ
  }
  return coarse
}

function compared(name: string, observedJ: number, predictedJ: number): Record<string, number> {
  return {
    [`${name} observed J`]: observedJ,
    [`${name} predicted J`]: predictedJ,
    [`${name} observed/predicted`]: observedJ / predictedJ,
  }
}

/** What a timeline said about one window. */
export interface Reading {
  readonly energyJ: number
  readonly uncertaintyJ: number
  readonly durationS: number
}

/** Reads a window that the recording holds. */
export function reading(timeline: Timeline, [startS, endS]: Window): Reading {
  const energy = timeline.energyBetween(startS, endS)
  if (isUnavailable(energy)) throw new Error(energy.detail)
  const { energyJ, uncertaintyJ } = energy
  return { energyJ, uncertaintyJ, durationS: endS - startS }
}

/** Arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Standard deviation with n - 1. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}

function rms(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value ** 2)))
}
