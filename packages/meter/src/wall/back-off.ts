import type { WallFailure } from './failure.js'

/** Keeps a failing plug from being asked too often. */
export interface BackOff {
  /** The failure to repeat without asking the plug; `undefined` when it may be asked. */
  waiting(nowS: number): WallFailure | undefined
  failed(failure: WallFailure, nowS: number): void
  succeeded(): void
}

/** First wait after a wrong password; plugs and boxes lock logins that come too fast. */
const DENIED_WAIT_S = 10
const DENIED_MAX_S = 300
const OTHER_MAX_S = 10

/** The first failure is tried again at once; then the wait doubles, to 10 s, or to 300 s for a wrong password. */
export function createBackOff(): BackOff {
  let last: WallFailure | undefined
  let failures = 0
  let untilS = 0
  return {
    waiting: (nowS) => (nowS < untilS ? last : undefined),
    failed(failure, nowS) {
      failures += 1
      last = failure
      untilS = nowS + Math.max(failure.retryAfterS, waitS(failure, failures))
    },
    succeeded() {
      failures = 0
      untilS = 0
    },
  }
}

function waitS(failure: WallFailure, failures: number): number {
  if (failure.unavailable.reason === 'permission-denied') {
    return Math.min(DENIED_WAIT_S * 2 ** (failures - 1), DENIED_MAX_S)
  }
  return failures < 2 ? 0 : Math.min(2 ** (failures - 2), OTHER_MAX_S)
}
