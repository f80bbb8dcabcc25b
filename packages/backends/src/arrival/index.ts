export type { ArrivalClock } from './clock.js'
export type { ClosedLoopOptions } from './closed-loop.js'
export { closedLoop } from './closed-loop.js'
export type { OpenLoopOptions } from './open-loop.js'
export { openLoop } from './open-loop.js'
export type { ArrivalLimit, PoissonOptions } from './poisson-arrivals.js'
export { poissonArrivals } from './poisson-arrivals.js'
export type {
  ArrivedRequest,
  LoadResult,
  RequestOutcome,
  RequestRow,
  RunRequest,
} from './requests.js'
