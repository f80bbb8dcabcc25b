import { expect, test } from 'vitest'
import { createFakeClock, createFakeMeter } from '../src/fake.js'

test('the fake answers exactly from when work ran', async () => {
  const clock = createFakeClock()
  await using meter = createFakeMeter({ powerW: 300, idleW: 100, clock })
  const startS = meter.now()
  clock.advance(1)
  await meter.work(() => clock.advance(2))
  const reading = await meter.energyBetween(startS, meter.now())
  expect(reading.domains['fake:counter']).toMatchObject({ energyJ: 700, method: 'counter' })
})

test('without idle power the fake draws the same all the time', async () => {
  await using meter = createFakeMeter({ powerW: 50, method: 'model', clock: createFakeClock() })
  expect((await meter.energyBetween(3, 5)).domains['fake:model']).toMatchObject({ energyJ: 100 })
})

test('work that overlaps counts once', async () => {
  const clock = createFakeClock()
  await using meter = createFakeMeter({ powerW: 300, idleW: 0, clock })
  const startS = meter.now()
  const first = meter.busy()
  clock.advance(1)
  const second = meter.busy()
  clock.advance(1)
  first[Symbol.dispose]()
  clock.advance(1)
  second[Symbol.dispose]()
  clock.advance(1)
  expect((await meter.energyBetween(startS, meter.now())).domains['fake:counter']).toMatchObject({
    energyJ: 900,
  })
})
