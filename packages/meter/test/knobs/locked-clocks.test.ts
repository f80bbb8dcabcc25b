import { rmSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { KnobOptions } from '../../src/knobs/hold-setting.js'
import { type ClockWish, withLockedClocks } from '../../src/knobs/locked-clocks.js'
import { withPowerLimit } from '../../src/knobs/power-limit.js'
import { buildEntries } from './build-entries.js'
import { buildFakeKnobs, createFakeCards, type FakeCards } from './fake-cards.js'
import { guardsOf } from './processes.js'

const nvmlLibraryPath = buildFakeKnobs()
let guardPath: string
let cards: FakeCards
let options: KnobOptions

beforeAll(async () => {
  const built = await buildEntries()
  guardPath = built.guard
  return () => rmSync(built.folder, { recursive: true })
})

beforeEach(() => {
  cards = createFakeCards()
  options = { device: 'GPU-fake-0000', nvmlLibraryPath, guardPath, stateDir: cards.stateDir }
})

afterEach(() => {
  expect(guardsOf(cards.stateDir)).toEqual([])
  rmSync(cards.folder, { recursive: true })
})

test('work runs with one clock, and the clocks are unlocked afterwards', async () => {
  const seen = await withLockedClocks(
    1.2e9,
    (_signal, applied) => ({ applied, card: cards.card() }),
    options,
  )
  expect(seen.applied).toEqual({
    device: 'GPU-fake-0000',
    minHz: 1.2e9,
    maxHz: 1.2e9,
    clockHz: 1.2e9,
  })
  expect(seen.card).toMatchObject({ lockMinMhz: 1200, lockMaxMhz: 1200 })
  expect(cards.card()).toMatchObject({ lockMinMhz: 0, lockMaxMhz: 0, sets: 1, resets: 2 })
  expect(cards.locks()).toEqual([])
})

test('work runs within a range of clocks', async () => {
  const card = await withLockedClocks({ minHz: 345e6, maxHz: 1e9 }, () => cards.card(), options)
  expect(card).toMatchObject({ lockMinMhz: 345, lockMaxMhz: 1000 })
})

test('the clocks and the power limit of one GPU are two knobs', async () => {
  const seen = await withPowerLimit(
    400,
    () => withLockedClocks(1e9, () => [cards.card(), cards.locks()], options),
    options,
  )
  expect(seen).toMatchObject([
    { limitMw: 400000, lockMaxMhz: 1000 },
    ['GPU-fake-0000.locked-clocks.lock.json', 'GPU-fake-0000.power-limit.lock.json'],
  ])
  expect(cards.card()).toMatchObject({ limitMw: 700000, lockMaxMhz: 0 })
})

test.each<ClockWish>([344e6, 1981e6, Number.NaN, { minHz: 1e9, maxHz: 0.9e9 }])(
  'clocks that are not within the range are refused: %j',
  async (wish) => {
    await expect(withLockedClocks(wish, () => 1, options)).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('the range of GPU-fake-0000: 345 MHz to 1980 MHz'),
    })
    expect(cards.card()).toMatchObject({ sets: 0, resets: 0 })
  },
)

test('an older driver tells only the highest clock', async () => {
  cards.faults({ nvmlDeviceGetMinMaxClockOfPState: 3 })
  await expect(withLockedClocks(1981e6, () => 1, options)).rejects.toMatchObject({
    message: expect.stringContaining('1 MHz to 1980 MHz'),
  })
})

test('without permission nothing is set', async () => {
  cards.faults({ nvmlDeviceResetGpuLockedClocks: 4, nvmlDeviceSetGpuLockedClocks: 4 })
  await expect(withLockedClocks(1e9, () => 1, options)).rejects.toMatchObject({
    code: 'refused',
    fix: expect.stringContaining('--cap-add SYS_ADMIN'),
  })
  expect(cards.locks()).toEqual([])
})

test('an abort before anything is set needs no permission', async () => {
  cards.faults({ nvmlDeviceResetGpuLockedClocks: 4, nvmlDeviceSetGpuLockedClocks: 4 })
  const controller = new AbortController()
  const run = withLockedClocks(1e9, () => 1, { ...options, signal: controller.signal })
  controller.abort(new RangeError('early'))
  await expect(run).rejects.toThrow(new RangeError('early'))
  expect(cards.locks()).toEqual([])
})

test('a GPU that cannot unlock its clocks is not locked at all', async () => {
  cards.faults({ nvmlDeviceResetGpuLockedClocks: 3 })
  await expect(withLockedClocks(1e9, () => 1, options)).rejects.toMatchObject({
    code: 'environment-invalid',
    message:
      'the clocks of GPU-fake-0000 could not be set to 1000 MHz to 1000 MHz: nvmlDeviceResetGpuLockedClocks returned 3 (NOT_SUPPORTED)',
  })
  expect(cards.card().sets).toBe(0)
  expect(cards.locks()).toEqual([])
})

test('a GPU that runs faster than it was told is an invalid measurement', async () => {
  cards.faults({ deaf: 1 })
  await expect(withLockedClocks(1e9, () => 1, options)).rejects.toMatchObject({
    code: 'measurement-invalid',
    message: 'GPU-fake-0000 accepted clocks of at most 1000 MHz, but runs at 1980 MHz',
  })
  expect(cards.card().lockMaxMhz).toBe(0)
})

test('clocks that cannot be unlocked any more: the error says how to do it by hand', async () => {
  const lose = () => cards.faults({ nvmlDeviceResetGpuLockedClocks: 15 })
  await expect(withLockedClocks(1e9, lose, options)).rejects.toMatchObject({
    code: 'environment-invalid',
    message:
      'the clocks of GPU-fake-0000 could not be restored (former value: unlocked): nvmlDeviceResetGpuLockedClocks returned 15 (GPU_IS_LOST)',
    fix: expect.stringMatching(/By hand: sudo nvidia-smi -i GPU-fake-0000 -rgc$/),
  })
  expect(cards.locks()).toEqual(['GPU-fake-0000.locked-clocks.lock.json'])
})
