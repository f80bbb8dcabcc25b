/** Which recording to play, and how. */
export interface ReplayConfig {
  /** File as `exportTimeline` writes it; the end of its name tells CSV (`.csv`) from JSON lines. */
  readonly path: string
  /**
   * `real`: point by point at the speed of the recording, moved so that it begins now. `recorded`: all at once, and
   * windows are given in the times of the recording. Default `recorded`.
   */
  readonly time?: 'real' | 'recorded'
}
