import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findInterruptedLimits } from '../../src/knobs/interrupted-limits.js'
import { processStartOf } from '../../src/knobs/lock-owner.js'
import { withLockedClocks } from '../../src/knobs/locked-clocks.js'
import { type PowerLimitOptions, withPowerLimit } from '../../src/knobs/power-limit.js'
import { restoreOnExit } from '../../src/knobs/restore-on-exit.js'
import { buildEntries } from './build-entries.js'
import { buildFakeKnobs, createFakeCards, type FakeCards } from './fake-cards.js'
import { guardsOf } from './processes.js'

const nvmlLibraryPath = buildFakeKnobs()
let guardPath: string
let cards: FakeCards
let options: PowerLimitOptions

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

const previous = { what: 'power-limit', powerLimitW: 700 } as const

/** A lock that a process left behind. */
function leaveLock(owner: object, before: object = previous): string {
  const what = 'what' in before ? String(before.what) : ''
  const path = join(cards.stateDir, `GPU-fake-0000.${what}.lock.json`)
  const held = { pid: 2 ** 30, processStart: null, host: hostname(), ...owner }
  const lock = { version: 1, device: 'GPU-fake-0000', previous: before, owner: held }
  writeFileSync(
    path,
    JSON.stringify({ ...lock, startedAt: '2026-11-30T10:00:00.000Z', state: 'held' }),
  )
  return path
}

test('row 9: the GPU that is set is the one of the UUID, and no other is touched', async () => {
  const seen = await withPowerLimit(300, () => [cards.card(0), cards.card(1)], {
    ...options,
    device: 'GPU-fake-0001',
  })
  expect(seen).toMatchObject([
    { limitMw: 700_000, sets: 0 },
    { limitMw: 300_000, sets: 1 },
  ])
  expect(cards.card(0).sets).toBe(0)
})

test.each([
  ['a power limit', () => withPowerLimit],
  ['locked clocks', () => withLockedClocks],
] as const)(
  '%s: an abort while the GPU is read back comes through with its own reason',
  async (_, of) => {
    cards.faults({ lazy: 300_000, deaf: 1 })
    const controller = new AbortController()
    const hold = of()
    const run = hold(hold === withLockedClocks ? 1e9 : 400, () => 1, {
      ...options,
      signal: controller.signal,
    })
    const waiting = setInterval(() => {
      const { limitMw, sets } = cards.card()
      if (limitMw === 400_000 || sets > 0) controller.abort(new RangeError('enough'))
    }, 5)
    await expect(run).rejects.toThrow(new RangeError('enough'))
    clearInterval(waiting)
    expect(cards.card()).toMatchObject({ limitMw: 700_000, lockMaxMhz: 0 })
    expect(cards.locks()).toEqual([])
  },
)

test('one value that cannot be restored at the end keeps no other from being restored', () => {
  const restored: string[] = []
  const holds = [
    restoreOnExit(() => {
      throw new Error('EROFS: read-only file system')
    }),
    restoreOnExit(() => restored.push('second')),
  ]
  const listener = process.listeners('exit').at(-1)
  expect(() => listener?.(0)).not.toThrow()
  expect(restored).toEqual(['second'])
  for (const hold of holds) hold.forget()
})

describe('a lock that was left behind', () => {
  beforeEach(async () => {
    // Makes the state folder.
    await withPowerLimit(600, () => {}, options)
  })

  test('by a process that died before it set anything is taken over', async () => {
    leaveLock({})
    expect(await withPowerLimit(300, () => cards.card().limitMw, options)).toBe(300_000)
    expect(cards.card().limitMw).toBe(700_000)
    expect(cards.locks()).toEqual([])
  })

  test('by a process that died while its value was set is not', async () => {
    leaveLock({})
    cards.put(0, { limitMw: 400_000 })
    await expect(withPowerLimit(300, () => 1, options)).rejects.toMatchObject({ code: 'refused' })
    expect(cards.card().limitMw).toBe(400_000)
    expect(findInterruptedLimits(options)).toMatchObject([{ state: 'interrupted', previous }])
    for (const lock of cards.locks()) rmSync(join(cards.stateDir, lock))
  })

  test('before the machine was started again holds nothing, since no setting of NVML outlives that', async () => {
    const ours = processStartOf(process.pid) ?? ''
    expect(ours).toMatch(/^[0-9a-f-]{36}:\d+$/)
    const earlier = { processStart: ours.replace(/^[0-9a-f]{8}/, 'ffffffff') }
    leaveLock(earlier, { what: 'locked-clocks' })
    leaveLock(earlier, { what: 'power-limit', powerLimitW: 555 })
    expect(findInterruptedLimits(options)).toEqual([])
    await withLockedClocks(1e9, () => expect(cards.card().lockMaxMhz).toBe(1000), options)
    await withPowerLimit(300, () => {}, options)
    expect(cards.card().limitMw).toBe(700_000)
    expect(cards.locks()).toEqual([])
  })

  test('by a process of this start of the machine that locked clocks is reported, since clocks cannot be read', async () => {
    const ours = processStartOf(process.pid) ?? ''
    leaveLock({ processStart: ours.replace(/:\d+$/, ':1') }, { what: 'locked-clocks' })
    await expect(withLockedClocks(1e9, () => 1, options)).rejects.toMatchObject({
      code: 'refused',
      fix: expect.stringContaining('-rgc'),
    })
    for (const lock of cards.locks()) rmSync(join(cards.stateDir, lock))
  })
})

test('ten at once on one GPU: one works, nine are refused, and the limit is back', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      withPowerLimit(300 + index, () => new Promise((resolve) => setTimeout(resolve, 50)), options),
    ),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(9)
  for (const one of refused) {
    expect(one).toMatchObject({ reason: { code: 'refused', isRetryable: true } })
  }
  expect(cards.card()).toMatchObject({ limitMw: 700_000, sets: 2 })
  expect(cards.locks()).toEqual([])
})
