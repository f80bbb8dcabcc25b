import { createTimeline, type Timeline } from '../../src/timeline/timeline.js'

/** A load of which the energy is known exactly: its power runs straight from knot to knot. */
export interface Load {
  readonly timesS: readonly number[]
  readonly powersW: readonly number[]
  /** Energy from the start to a time, joules. */
  energyAt(timeS: number): number
  /** Moments at which the load changes; where a measured piece of work begins and ends. */
  readonly changesS: readonly number[]
}

export type LoadKind = 'steps' | 'bursts' | 'ramps'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Makes a load between 100 and 700 W that lasts `durationS`. Each level trembles by 1 % every 10 ms. */
export function createLoad(kind: LoadKind, durationS: number, random: () => number): Load {
  const timesS: number[] = [0]
  const powersW: number[] = [100]
  const changesS: number[] = []
  let levelW = 100
  while ((timesS.at(-1) ?? 0) < durationS) {
    const nextW = 100 + 600 * random()
    const [rampS, holdS] = shapeOf(kind, levelW < nextW, random)
    const fromS = timesS.at(-1) ?? 0
    changesS.push(fromS)
    timesS.push(fromS + rampS)
    powersW.push(nextW)
    for (let sinceS = 0.01; sinceS < holdS; sinceS += 0.01) {
      timesS.push(fromS + rampS + sinceS)
      powersW.push(nextW * (1 + 0.02 * (random() - 0.5)))
    }
    timesS.push(fromS + rampS + holdS)
    powersW.push(nextW)
    levelW = nextW
  }
  return { timesS, powersW, changesS, energyAt: integral(timesS, powersW) }
}

function shapeOf(kind: LoadKind, isUp: boolean, random: () => number): readonly [number, number] {
  if (kind === 'steps') return [0.0005, 0.2 + 2 * random()]
  if (kind === 'ramps') return [0.05 + 0.6 * random(), 0.1 + random()]
  return [0.0005, isUp ? 0.02 + 0.15 * random() : 0.05 + 0.25 * random()]
}

function integral(timesS: readonly number[], powersW: readonly number[]): Load['energyAt'] {
  const sums = [0]
  for (let index = 1; index < timesS.length; index += 1) {
    const lengthS = (timesS[index] ?? 0) - (timesS[index - 1] ?? 0)
    const powerW = ((powersW[index] ?? 0) + (powersW[index - 1] ?? 0)) / 2
    sums.push((sums[index - 1] ?? 0) + powerW * lengthS)
  }
  return (timeS) => {
    const index = Math.max(
      0,
      timesS.findLastIndex((fromS) => fromS <= timeS),
    )
    const [fromS = 0, untilS = fromS] = [timesS[index], timesS[index + 1]]
    const [fromW = 0, untilW = fromW] = [powersW[index], powersW[index + 1]]
    const share = untilS > fromS ? (timeS - fromS) / (untilS - fromS) : 0
    const meanW = fromW + (share * (untilW - fromW)) / 2
    return (sums[index] ?? 0) + meanW * (timeS - fromS)
  }
}

export interface Watching {
  readonly durationS: number
  readonly random: () => number
  /** Polls are this far apart and take this long. Default 5 ms and 3 ms. */
  readonly pollS?: number
  readonly readS?: number
}

/** Watches the load through a counter that ticks every 100 ms, give or take 1.5 ms, as on an H200. */
export function watch(
  load: Load,
  { durationS, random, pollS = 0.005, readS = 0.003 }: Watching,
): Timeline {
  const timeline = createTimeline({ method: 'counter', type: 'tick' })
  const phaseS = 0.1 * random()
  let tick = 0
  let tickS = phaseS
  let energyJ = 0
  for (let startS = 0.001; startS < durationS; startS += pollS) {
    const trueS = startS + readS * random()
    while (tickS <= trueS) {
      energyJ = load.energyAt(tickS)
      tick += 1
      tickS = phaseS + 0.1 * tick + 0.003 * (random() - 0.5)
    }
    timeline.add({ type: 'energy', energyJ }, startS, startS + readS)
  }
  return timeline
}

/** Windows to ask for: half of them begin and end with the load, as measured work does; the others anywhere. */
export function windowsOf(
  load: Load,
  durationS: number,
  random: () => number,
): readonly (readonly [number, number])[] {
  const inside = load.changesS.filter((timeS) => timeS > 1 && timeS < durationS - 1)
  const ofWork = inside
    .slice(0, -3)
    .map(
      (startS, index) =>
        [startS, inside[index + 1 + Math.floor(3 * random())] ?? startS + 1] as const,
    )
  const anywhere = ofWork.map(() => {
    const startS = 1 + (durationS - 4) * random()
    return [startS, startS + 0.03 + 1.5 * random() ** 2] as const
  })
  return [...ofWork, ...anywhere]
}
