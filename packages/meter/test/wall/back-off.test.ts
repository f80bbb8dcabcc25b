import { expect, test } from 'vitest'
import { createBackOff } from '../../src/wall/back-off.js'
import { WallFailure } from '../../src/wall/failure.js'

const failure = (reason: 'no-device' | 'permission-denied', retryAfterS = 0) =>
  new WallFailure(reason, { detail: 'd', fix: 'f', retryAfterS })

/** Waits after each of `count` failures in a row, seconds. */
function waits(count: number, why: WallFailure): readonly number[] {
  const backOff = createBackOff()
  return Array.from({ length: count }, () => {
    backOff.failed(why, 0)
    return Array.from({ length: 400 }, (_, second) => second).findIndex(
      (second) => backOff.waiting(second) === undefined,
    )
  })
}

test('a plug that is away is asked again at once, then ever later', () => {
  expect(waits(7, failure('no-device'))).toEqual([0, 1, 2, 4, 8, 10, 10])
})

test('a wrong password waits longer, so that the plug does not lock', () => {
  expect(waits(7, failure('permission-denied'))).toEqual([10, 20, 40, 80, 160, 300, 300])
})

test('the wait that the device asks for counts when it is longer', () => {
  expect(waits(1, failure('permission-denied', 64))).toEqual([64])
})

test('a success ends the waiting', () => {
  const backOff = createBackOff()
  backOff.failed(failure('permission-denied'), 0)
  backOff.succeeded()
  expect(backOff.waiting(1)).toBeUndefined()
})
