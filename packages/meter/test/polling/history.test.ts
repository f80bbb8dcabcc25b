import { type DomainSample, type SourceSample, unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { createHistory } from '../../src/polling/history.js'

const ID = 'gpu:counter'

function historyOf(method: 'counter' | 'wall' = 'counter') {
  return createHistory([
    { domains: [], devices: [], intervalS: 0.05, timelines: { [ID]: { method, type: 'tick' } } },
  ])
}

function sampleAt(timeS: number, value: DomainSample): SourceSample {
  return { startS: timeS, endS: timeS + 0.001, domains: { [ID]: value } }
}

/** Polls each 20 ms from 0 s; the counter ticks each 100 ms at 300 W, and stands from `frozenS` on. */
function play(history: ReturnType<typeof historyOf>, untilS: number, frozenS = Infinity): void {
  for (let poll = 0; poll < untilS / 0.02; poll += 1) {
    const tick = Math.floor(Math.min(0.02 * poll, frozenS) * 10 + 1e-6)
    history.add(sampleAt(0.02 * poll, { type: 'energy', energyJ: 1000 + 30 * tick }))
  }
}

describe('a counter that stops while it is read', () => {
  test('row 45: is said to stand in each window that it does not reach, and is not waited for', () => {
    const history = historyOf()
    play(history, 12, 4)
    expect(history.reading(5, 11)[ID]).toMatchObject({
      reason: 'stalled',
      detail: 'the counter has stood at 2200 J for 8.0 s, while it was read',
    })
    expect(history.reaches(11)).toBe(true)
    expect(history.reading(1, 3)[ID]).toMatchObject({ status: 'measured' })
  })

  test('row 45: also when it never moved at all', () => {
    const history = historyOf()
    play(history, 7, 0)
    expect(history.reading(1, 6)[ID]).toMatchObject({ reason: 'stalled' })
  })

  test('is only late while it may still tick', () => {
    const history = historyOf()
    play(history, 8, 4)
    expect(history.reading(5, 7)[ID]).toMatchObject({ reason: 'no-data' })
    expect(history.reaches(7)).toBe(false)
  })

  test('is itself again with its next change', () => {
    const history = historyOf()
    play(history, 12, 4)
    for (const [index, energyJ] of [2230, 2260, 2290].entries()) {
      history.add(sampleAt(12 + 0.1 * index, { type: 'energy', energyJ }))
    }
    expect(history.reading(3, 12)[ID]).toMatchObject({ status: 'measured' })
    expect(history.reaches(13)).toBe(false)
  })
})

test('a counter that gives no value is not said to stand', () => {
  const history = historyOf()
  play(history, 2)
  for (let timeS = 2; timeS < 12; timeS += 1) {
    history.add(sampleAt(timeS, unavailable('failed', 'the call failed')))
  }
  expect(history.reading(3, 11)[ID]).toMatchObject({ reason: 'failed' })
})

test('the counter of a plug may stand for minutes', () => {
  const history = historyOf('wall')
  play(history, 12, 4)
  expect(history.reading(5, 11)[ID]).toMatchObject({ reason: 'no-data' })
})
