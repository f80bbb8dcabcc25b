/** A cumulative energy and when it was published, seconds of the mach clock. */
export interface Publication {
  readonly publishedS: number
  readonly energyJ: number
}

/** What one poll says of one channel. */
export interface ChannelValue {
  readonly key: string
  readonly energyJ: number
  /** Stamp of the driver, seconds of the mach clock; left out when there is none to be trusted. */
  readonly stampS?: number
}

/** The recent publications of one channel, oldest first. */
export type PublicationLog = Publication[]

/** Longer than any wait for the slowest channel of a rail. */
const MAX_PUBLICATIONS = 512

/** Takes what a poll at `pollS` saw. Without a stamp, a new value counts as published when it was seen. */
export function addPublication(log: PublicationLog, value: ChannelValue, pollS: number): void {
  const last = log.at(-1)
  const isNew =
    last === undefined ||
    value.energyJ !== last.energyJ ||
    (value.stampS !== undefined && value.stampS !== last.publishedS)
  if (!isNew) return
  const publishedS = value.stampS ?? pollS
  // A counter that began anew has no straight line to its past.
  const isReset =
    last !== undefined && (publishedS <= last.publishedS || value.energyJ < last.energyJ)
  if (isReset) log.length = 0
  log.push({ publishedS, energyJ: value.energyJ })
  if (log.length > MAX_PUBLICATIONS) log.shift()
}

/** Energy at `timeS`, by straight line between two publications; `undefined` before the first. */
export function energyAt(log: PublicationLog, timeS: number): number | undefined {
  const index = log.findLastIndex((entry) => entry.publishedS <= timeS)
  const before = log[index]
  if (before === undefined) return undefined
  const after = log[index + 1]
  if (after === undefined) return before.energyJ
  const share = (timeS - before.publishedS) / (after.publishedS - before.publishedS)
  return before.energyJ + share * (after.energyJ - before.energyJ)
}
