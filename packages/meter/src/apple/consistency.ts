import type { DomainSample, SourceSample } from '@energy-bench/spec'

/** Compares the parts of the chip with the whole machine, which must use more. */
export interface ConsistencyCheck {
  /** Takes one poll; says what is wrong, or `undefined`. Changes no figure. */
  add(sample: SourceSample): string | undefined
}

export interface ConsistencyOptions {
  readonly partIds: readonly string[]
  readonly wholeId: string
}

/** Both sides are averaged over this long, so that batches and instants can be compared, seconds. */
const WINDOW_S = 10
const MIN_SPAN_S = 5
/** The two sensors may differ by this factor without a remark. */
const TOLERANCE = 1.1

interface Point {
  readonly timeS: number
  readonly value: number
}

/** Makes a check that has seen nothing. */
export function createConsistencyCheck(options: ConsistencyOptions): ConsistencyCheck {
  const parts = new Map<string, Point[]>(options.partIds.map((id) => [id, []]))
  const whole: Point[] = []
  return {
    add(sample) {
      for (const [id, points] of parts) addEnergy(points, sample, sample.domains[id])
      addPower(whole, sample.domains[options.wholeId])
      const wholeW = meanOf(whole)
      if (wholeW === undefined) return undefined
      const partsW = [...parts.values()].reduce((sumW, points) => sumW + slopeOf(points), 0)
      if (partsW <= TOLERANCE * wholeW) return undefined
      return `the parts of the chip use ${partsW.toFixed(1)} W, the whole machine ${wholeW.toFixed(1)} W: one of the two sensors is wrong`
    },
  }
}

function addEnergy(points: Point[], poll: SourceSample, sample: DomainSample | undefined): void {
  if (sample === undefined || 'status' in sample || sample.type !== 'energy') {
    points.length = 0
    return
  }
  const { atS, energyJ } = sample
  addPoint(points, { timeS: atS ?? poll.endS, value: energyJ })
}

function addPower(points: Point[], sample: DomainSample | undefined): void {
  if (sample === undefined || 'status' in sample || sample.type !== 'power') {
    points.length = 0
    return
  }
  for (const { timeS, powerW } of sample.samples) addPoint(points, { timeS, value: powerW })
}

function addPoint(points: Point[], point: Point): void {
  const last = points.at(-1)
  if (last !== undefined && point.timeS <= last.timeS) return
  points.push(point)
  while ((points[0]?.timeS ?? point.timeS) < point.timeS - WINDOW_S) points.shift()
}

/** Mean power, or `undefined` before there is enough to average. */
function meanOf(points: readonly Point[]): number | undefined {
  if (spanOf(points) < MIN_SPAN_S) return undefined
  return points.reduce((sum, point) => sum + point.value, 0) / points.length
}

/** Power from the first to the last publication; 0 where little is known, which can only hide a remark. */
function slopeOf(points: readonly Point[]): number {
  const spanS = spanOf(points)
  if (spanS < MIN_SPAN_S) return 0
  return ((points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0)) / spanS
}

function spanOf(points: readonly Point[]): number {
  return (points.at(-1)?.timeS ?? 0) - (points[0]?.timeS ?? 0)
}
