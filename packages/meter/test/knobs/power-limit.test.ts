import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  findInterruptedLimits,
  restoreInterruptedLimit,
} from '../../src/knobs/interrupted-limits.js'
import { type PowerLimitOptions, withPowerLimit } from '../../src/knobs/power-limit.js'
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

const held = 'GPU-fake-0000.power-limit.lock.json'

describe('work under a power limit', () => {
  test('runs with the limit, and the former one comes back', async () => {
    const seen = await withPowerLimit(
      400.5,
      (_signal, applied) => ({ applied, card: cards.card(), locks: cards.locks() }),
      options,
    )
    expect(seen.applied).toEqual({
      device: 'GPU-fake-0000',
      powerLimitW: 400.5,
      enforcedPowerLimitW: 400.5,
    })
    expect(seen.card).toMatchObject({ limitMw: 400500, sets: 1 })
    expect(seen.locks).toEqual([held])
    expect(cards.card()).toMatchObject({ limitMw: 700000, sets: 2 })
    expect(cards.locks()).toEqual([])
  })

  test('brings back what was there, not the default', async () => {
    cards.put(0, { limitMw: 555_555 })
    await withPowerLimit(300, () => {}, options)
    expect(cards.card().limitMw).toBe(555_555)
  })

  test('throws its own error after the limit is back', async () => {
    const error = new TypeError('no prompt')
    const run = withPowerLimit(
      400,
      () => {
        throw error
      },
      options,
    )
    await expect(run).rejects.toBe(error)
    expect(cards.card().limitMw).toBe(700000)
    expect(cards.locks()).toEqual([])
  })

  test('is told of an abort, whose reason comes through', async () => {
    const controller = new AbortController()
    const run = withPowerLimit(
      400,
      async (signal) => {
        controller.abort(new RangeError('enough'))
        signal.throwIfAborted()
      },
      { ...options, signal: controller.signal },
    )
    await expect(run).rejects.toThrow(new RangeError('enough'))
    expect(cards.card()).toMatchObject({ limitMw: 700000, sets: 2 })
  })

  test('does not start after an abort', async () => {
    const signal = AbortSignal.abort(new RangeError('never'))
    const run = withPowerLimit(400, () => 1, { ...options, signal })
    await expect(run).rejects.toThrow('never')
    expect(cards.card().sets).toBe(0)
  })

  test('does not start when it is aborted while the guard starts', async () => {
    const controller = new AbortController()
    const run = withPowerLimit(400, () => 1, { ...options, signal: controller.signal })
    controller.abort(new RangeError('early'))
    await expect(run).rejects.toThrow('early')
    expect(cards.card().sets).toBe(0)
    expect(cards.locks()).toEqual([])
  })

  test('knows when something else limits more', async () => {
    cards.faults({ extraCap: 350_000 })
    const applied = await withPowerLimit(400, (_signal, applied) => applied, options)
    expect(applied).toMatchObject({ powerLimitW: 400, enforcedPowerLimitW: 350 })
  })

  test('leaves no listener behind', async () => {
    const count = () =>
      ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((name) => process.listenerCount(name))
    const before = count()
    const during = await withPowerLimit(400, count, options)
    expect(during).toEqual(before.map((number) => number + 1))
    expect(count()).toEqual(before)
  })
})

describe('two at once', () => {
  test('two GPUs, one within the other', async () => {
    const other = { ...options, device: 'GPU-fake-0001' }
    const limits = await withPowerLimit(
      400,
      () => withPowerLimit(300, () => [cards.card(0).limitMw, cards.card(1).limitMw], other),
      options,
    )
    expect(limits).toEqual([400000, 300000])
    expect([cards.card(0).limitMw, cards.card(1).limitMw]).toEqual([700000, 700000])
  })

  test('one GPU twice is refused, and the first goes on', async () => {
    const inner = () => withPowerLimit(300, () => 1, options)
    const run = withPowerLimit(
      400,
      async () => {
        await expect(inner()).rejects.toMatchObject({
          code: 'refused',
          isRetryable: true,
          message: expect.stringContaining(`is held by process ${process.pid} since`),
        })
        return cards.card().limitMw
      },
      options,
    )
    expect(await run).toBe(400000)
    expect(cards.card()).toMatchObject({ limitMw: 700000, sets: 2 })
  })
})

describe('a limit that is not set', () => {
  const refused = async (limitW: number, more: Partial<PowerLimitOptions> = {}) => {
    let error: unknown
    await withPowerLimit(limitW, () => 1, { ...options, ...more }).catch((reason) => {
      error = reason
    })
    expect(cards.card().sets).toBe(0)
    expect(cards.locks()).toEqual([])
    return error
  }

  test.each([199.9, 700.1, 0, -400, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d W is out of range',
    async (limitW) => {
      expect(await refused(limitW, { allowAboveDefault: true })).toMatchObject({
        code: 'usage-invalid',
        message: `a power limit of ${limitW} W is outside the range of GPU-fake-0000: 200 W to 700 W`,
      })
    },
  )

  test('above the default', async () => {
    expect(await refused(651)).toMatchObject({
      code: 'refused',
      message: 'a power limit of 651 W is above the default of GPU-fake-0000, 650 W',
      fix: 'Choose at most 650, or pass allowAboveDefault.',
    })
  })

  test('above the limit of now, where there is no default', async () => {
    cards.put(0, { limitMw: 500_000 })
    cards.faults({ nvmlDeviceGetPowerManagementDefaultLimit: 3 })
    expect(await refused(501)).toMatchObject({ code: 'refused' })
  })

  test('no permission', async () => {
    cards.faults({ nvmlDeviceSetPowerManagementLimit: 4 })
    expect(await refused(400)).toMatchObject({
      code: 'refused',
      message:
        'the power limit of GPU-fake-0000 could not be set to 400 W: nvmlDeviceSetPowerManagementLimit returned 4 (NO_PERMISSION)',
      fix: 'Run as root (on Windows: as administrator); in a container, start it with --cap-add SYS_ADMIN.',
    })
  })

  test('a GPU whose limit cannot be read', async () => {
    cards.faults({ nvmlDeviceGetPowerManagementLimit: 3 })
    expect(await refused(400)).toMatchObject({ code: 'environment-invalid' })
  })

  test('no such GPU, no UUID, no library', async () => {
    expect(await refused(400, { device: 'GPU-other' })).toMatchObject({ code: 'usage-invalid' })
    expect(await refused(400, { device: '../GPU-x' })).toMatchObject({ code: 'usage-invalid' })
    expect(await refused(400, { nvmlLibraryPath: '/nowhere.so' })).toMatchObject({
      code: 'environment-invalid',
    })
  })

  test('a guard that is missing', async () => {
    expect(await refused(400, { guardPath: '/nowhere/guard.js' })).toMatchObject({
      code: 'environment-invalid',
      message: expect.stringContaining('the guard /nowhere/guard.js failed'),
    })
  })

  test('a state folder that cannot be written', async () => {
    expect(await refused(400, { stateDir: join(nvmlLibraryPath, 'state') })).toMatchObject({
      code: 'environment-invalid',
      fix: 'Make its folder writable, or name another one with stateDir.',
    })
  })

  test('above the default with leave is set', async () => {
    const limitMw = await withPowerLimit(700, () => cards.card().limitMw, {
      ...options,
      allowAboveDefault: true,
    })
    expect(limitMw).toBe(700000)
  })
})

describe('a GPU that does something else', () => {
  test('reads back another limit: the work does not run, the former limit comes back', async () => {
    cards.faults({ lazy: 300_000 })
    let ran = false
    const run = withPowerLimit(
      400,
      () => {
        ran = true
      },
      options,
    )
    await expect(run).rejects.toMatchObject({
      code: 'measurement-invalid',
      message: 'GPU-fake-0000 accepted a power limit of 400 W, but 700 W is enforced',
    })
    expect(ran).toBe(false)
    expect(cards.card().limitMw).toBe(700000)
    expect(cards.locks()).toEqual([])
  })

  test('reads back another limit even when it is restored: both are said', async () => {
    cards.faults({ readback: -50_000 })
    const run = withPowerLimit(400, () => 1, options)
    await expect(run).rejects.toMatchObject({
      code: 'environment-invalid',
      message: expect.stringContaining('the limit was set to 700 W, but 650 W was read back'),
      cause: { message: 'GPU-fake-0000 accepted a power limit of 400 W, but 350 W is set' },
    })
    expect(cards.card().limitMw).toBe(700000)
  })

  test('is lost while the limit is restored: the error says how to do it by hand, and the lock stays', async () => {
    const lost = { nvmlDeviceSetPowerManagementLimit: 15, nvmlDeviceGetPowerManagementLimit: 15 }
    const error = new TypeError('the engine died')
    const run = withPowerLimit(
      400,
      () => {
        cards.faults(lost)
        throw error
      },
      options,
    )
    await expect(run).rejects.toMatchObject({
      code: 'environment-invalid',
      message:
        'the power limit of GPU-fake-0000 could not be restored (former value: 700 W): nvmlDeviceSetPowerManagementLimit returned 15 (GPU_IS_LOST)',
      fix: 'Reboot the machine; look for Xid in the kernel log. By hand: sudo nvidia-smi -i GPU-fake-0000 -pl 700',
      cause: error,
    })
    expect(cards.locks()).toEqual([held])
    const [limit] = findInterruptedLimits(options)
    expect(limit).toMatchObject({ state: 'interrupted', pid: process.pid })
    cards.faults({})
    await expect(withPowerLimit(400, () => 1, options)).rejects.toMatchObject({ code: 'refused' })
    if (limit === undefined || limit.state === 'damaged') throw new Error('nothing was found')
    restoreInterruptedLimit(limit, options)
    expect(cards.card().limitMw).toBe(700000)
    expect(cards.locks()).toEqual([])
  })

  test('answers again a moment later: the guard restores it, and nothing is wrong', async () => {
    const run = withPowerLimit(
      400,
      () => {
        cards.faults({ nvmlDeviceSetPowerManagementLimit: 10 })
        setTimeout(() => cards.faults({}), 100)
        return 'done'
      },
      options,
    )
    expect(await run).toBe('done')
    expect(cards.card().limitMw).toBe(700000)
    expect(cards.locks()).toEqual([])
  })
})

test('the state folder may vanish while the work runs', async () => {
  await withPowerLimit(400, () => rmSync(cards.stateDir, { recursive: true }), options)
  expect(cards.card().limitMw).toBe(700000)
  expect(existsSync(join(cards.stateDir, held))).toBe(false)
})
