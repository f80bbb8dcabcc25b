/** What a benchmark prints: its figures, each target in words, and whether all targets were met. */
export interface BenchmarkResult {
  readonly name: string
  readonly figures: Readonly<Record<string, number>>
  /** By figure, for example `<= 0.4`. A figure without a target is a peer or context. */
  readonly targets: Readonly<Record<string, string>>
  readonly met: boolean
  readonly notes?: readonly string[]
}
