import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRail, type PollTime } from '../../src/apple/rail.js'
import { energy } from './fakes/fake-mac.js'

const at = (timeS: number): PollTime => ({ awakeS: timeS, timeS })

test('the energy of a rail is that of its slowest channel, the others by straight line', () => {
  const rail = createRail({ label: 'CPU', canRest: false })
  rail.add(
    [
      { key: 'a', energyJ: 10, stampS: 1 },
      { key: 'b', energyJ: 20, stampS: 1 },
    ],
    at(1),
  )
  rail.add(
    [
      { key: 'a', energyJ: 30, stampS: 3 },
      { key: 'b', energyJ: 22, stampS: 2 },
    ],
    at(3),
  )
  expect(rail.sample(3)).toEqual({ type: 'energy', energyJ: 42, atS: 2 })
})

test('before every channel has published, there is no sum', () => {
  const rail = createRail({ label: 'CPU', canRest: false })
  rail.add(
    [
      { key: 'a', energyJ: 10, stampS: 1 },
      { key: 'b', energyJ: 20, stampS: 2 },
    ],
    at(2),
  )
  expect(rail.sample(2)).toMatchObject({ reason: 'no-data' })
  rail.add(
    [
      { key: 'a', energyJ: 15, stampS: 3 },
      { key: 'b', energyJ: 20, stampS: 2 },
    ],
    at(3),
  )
  expect(rail.sample(3)).toEqual({ type: 'energy', energyJ: 32.5, atS: 2 })
})

test('a counter that begins anew is passed on, for the timeline to see', () => {
  const rail = createRail({ label: 'CPU', canRest: false })
  rail.add([{ key: 'a', energyJ: 100, stampS: 1 }], at(1))
  rail.sample(1)
  rail.add([{ key: 'a', energyJ: 1, stampS: 2 }], at(2))
  expect(rail.sample(2)).toEqual({ type: 'energy', energyJ: 1, atS: 2 })
})

test('ten seconds of silence are allowed, more are a stall', () => {
  const rail = createRail({ label: 'CPU', canRest: false })
  rail.add([{ key: 'a', energyJ: 1, stampS: 1 }], at(1))
  rail.add([{ key: 'a', energyJ: 1, stampS: 1 }], at(11))
  expect(rail.sample(11)).toMatchObject({ type: 'energy' })
  rail.add([{ key: 'a', energyJ: 1, stampS: 1 }], at(11.5))
  expect(rail.sample(11.5)).toMatchObject({ reason: 'stalled' })
  expect(rail.state()).toEqual({ status: 'stalled', sinceS: 10.5 })
})

test('dates and energies never go back, however the channels publish', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.integer({ min: 0, max: 50 })), {
    minLength: 2,
  })
  fc.assert(
    fc.property(steps, (polls) => {
      const rail = createRail({ label: 'CPU', canRest: false })
      const last = {
        a: { key: 'a', energyJ: 0, stampS: 0 },
        b: { key: 'b', energyJ: 0, stampS: 0 },
      }
      let previous = { energyJ: 0, atS: 0 }
      polls.forEach(([movesA, movesB, gainJ], index) => {
        const timeS = index * 0.1
        if (movesA) last.a = { key: 'a', energyJ: last.a.energyJ + gainJ, stampS: timeS }
        if (movesB) last.b = { key: 'b', energyJ: last.b.energyJ + gainJ, stampS: timeS }
        rail.add([last.a, last.b], at(timeS))
        const sample = rail.sample(timeS)
        if ('status' in sample) return
        const { energyJ, atS = 0 } = energy(sample)
        expect(energyJ).toBeGreaterThanOrEqual(previous.energyJ - 1e-9)
        expect(atS).toBeGreaterThanOrEqual(previous.atS - 1e-9)
        previous = { energyJ, atS }
      })
    }),
  )
})
