/** Names of everything that may be wrong with a reading. Stable: reports and tools branch on them. */
export const meterFlagNames = [
  'wall-below-device',
  'frozen-counter',
  'readings-disagree',
  'suspended',
  'clock-step',
  'counter-reset',
  'device-lost',
  'sampling-gap',
  'throttled',
  'other-process',
  'on-battery',
  'power-limit-not-default',
  'idle-drift',
  'idle-dominated',
  'short-window',
  'estimate-only',
] as const

export type MeterFlagName = (typeof meterFlagNames)[number]

/** Something that a reader must know before quoting a figure of this reading. */
export interface MeterFlag {
  readonly name: MeterFlagName
  /** `invalid`: the figure must not be quoted. `warning`: only with this remark. `note`: a fact about it. */
  readonly severity: 'invalid' | 'warning' | 'note'
  /** What was seen, with the values. */
  readonly cause: string
  /** What to do about it, one sentence. */
  readonly fix: string
}

/** A ratio as people read it, for example `4.2 %`. */
export function percent(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`
}
