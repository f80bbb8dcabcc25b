/** Seconds on the monotonic clock of the machine; the same in every thread of the process. */
export function monotonicS(): number {
  return Number(process.hrtime.bigint()) / 1e9
}
