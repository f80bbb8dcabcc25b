/** Two ends of a confidence interval, in the unit of the value. */
export interface Interval {
  readonly low: number
  readonly high: number
}
