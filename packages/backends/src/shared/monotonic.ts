/** Seconds of the clock that the meter reads too, so that moments of both can be compared. It never goes back. */
export function monotonicS(): number {
  return Number(process.hrtime.bigint()) / 1e9
}
