import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  findInterruptedLimits,
  restoreInterruptedLimit,
} from '../../src/knobs/interrupted-limits.js'
import { withPowerLimit } from '../../src/knobs/power-limit.js'
import { type BuiltEntries, buildEntries } from './build-entries.js'
import { buildFakeKnobs, createFakeCards, type FakeCards } from './fake-cards.js'
import type { ChildOrder } from './hold-child.js'
import { type Child, eventually, guardsOf, startChild } from './processes.js'

const nvmlLibraryPath = buildFakeKnobs()
const device = 'GPU-fake-0000'
let built: BuiltEntries
let cards: FakeCards
let children: Child[]

beforeAll(async () => {
  built = await buildEntries()
  return () => rmSync(built.folder, { recursive: true })
})

beforeEach(() => {
  cards = createFakeCards()
  children = []
})

afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map((child) => child.exited))
  await eventually(() => expect(guardsOf(cards.stateDir)).toEqual([]))
  rmSync(cards.folder, { recursive: true })
})

function start(order: Partial<ChildOrder> = {}): Child {
  const child = startChild(built.child, {
    device,
    nvmlLibraryPath,
    stateDir: cards.stateDir,
    what: 'power-limit',
    until: 'input',
    ...order,
  })
  children.push(child)
  return child
}

async function startHolding(order: Partial<ChildOrder> = {}): Promise<Child> {
  const child = start(order)
  expect(await child.nextLine()).toBe('holding')
  return child
}

async function expectAsBefore(): Promise<void> {
  await eventually(() => {
    expect(cards.card()).toMatchObject({ limitMw: 700000, lockMaxMhz: 0 })
    expect(cards.locks()).toEqual([])
  })
}

describe('a process that ends while it holds a limit', () => {
  test('of its own accord: the guard beside the built file is found', async () => {
    const child = await startHolding()
    expect(cards.card().limitMw).toBe(400000)
    child.process.stdin.end()
    expect(await child.nextLine()).toBe('done')
    expect(await child.exited).toEqual([0, null])
    await expectAsBefore()
  })

  test('by SIGKILL: the guard restores the limit', async () => {
    const child = await startHolding()
    expect(cards.card().limitMw).toBe(400000)
    child.process.kill('SIGKILL')
    expect(await child.exited).toEqual([null, 'SIGKILL'])
    await expectAsBefore()
  })

  test('by SIGKILL: the guard unlocks the clocks', async () => {
    const child = await startHolding({ what: 'locked-clocks' })
    expect(cards.card().lockMaxMhz).toBe(1200)
    child.process.kill('SIGKILL')
    await expectAsBefore()
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s: the limit is back before it ends, by that signal',
    async (signal) => {
      const child = await startHolding()
      child.process.kill(signal)
      expect(await child.exited).toEqual([null, signal])
      expect(cards.card().limitMw).toBe(700000)
      await expectAsBefore()
    },
  )

  test('by a signal to all of its processes, as a service manager sends it: the guard stays until the end', async () => {
    const child = await startHolding()
    const [guard = 0] = guardsOf(cards.stateDir)
    process.kill(guard, 'SIGTERM')
    process.kill(guard, 'SIGHUP')
    child.process.kill('SIGKILL')
    await expectAsBefore()
  })

  test('by SIGTERM that the application handles: the work is aborted, and the application goes on', async () => {
    const child = await startHolding({ handlesTerm: true })
    child.process.kill('SIGTERM')
    expect([await child.nextLine(), await child.nextLine()]).toEqual(['term', 'AbortError'])
    expect(await child.exited).toEqual([0, null])
    expect(cards.card().limitMw).toBe(700000)
    expect(cards.locks()).toEqual([])
  })

  test.each([
    ['process.exit', 'exit', 3],
    ['an uncaught error', 'crash', 1],
    ['having nothing left to wait for', 'nothing', 13],
  ] as const)('by %s: the limit is back before it ends', async (_name, until, code) => {
    const child = await startHolding({ until })
    expect(await child.exited).toEqual([code, null])
    expect(cards.card().limitMw).toBe(700000)
    await expectAsBefore()
  })
})

test('the guard has a session of its own, so that Ctrl-C in a terminal does not reach it', async () => {
  await startHolding()
  const [guard = 0] = guardsOf(cards.stateDir)
  const session = execFileSync('ps', ['-o', 'sess=', '-p', String(guard)], { encoding: 'utf8' })
  expect(Number(session)).toBe(guard)
})

describe('a process whose guard was killed', () => {
  async function killGuard(): Promise<void> {
    const guards = guardsOf(cards.stateDir)
    expect(guards).toHaveLength(1)
    for (const guard of guards) process.kill(guard, 'SIGKILL')
    await eventually(() => expect(guardsOf(cards.stateDir)).toEqual([]))
  }

  test('restores the limit itself', async () => {
    const child = await startHolding()
    await killGuard()
    child.process.stdin.end()
    expect(await child.nextLine()).toBe('done')
    expect(await child.exited).toEqual([0, null])
    await expectAsBefore()
  })

  test('restores the limit itself on SIGTERM', async () => {
    const child = await startHolding()
    await killGuard()
    child.process.kill('SIGTERM')
    expect(await child.exited).toEqual([null, 'SIGTERM'])
    await expectAsBefore()
  })

  test('leaves the limit when it is killed too: the next one is told, and it can be restored', async () => {
    const child = await startHolding()
    await killGuard()
    expect(findInterruptedLimits({ stateDir: cards.stateDir })).toEqual([])
    child.process.kill('SIGKILL')
    await child.exited
    const options = {
      device,
      nvmlLibraryPath,
      stateDir: cards.stateDir,
      guardPath: built.guard,
    }
    const path = `${cards.stateDir}/GPU-fake-0000.power-limit.lock.json`
    await expect(withPowerLimit(300, () => 1, options)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(
        /^the power limit of GPU-fake-0000 was set by process \d+ at .* and never restored \(former value: 700 W\)$/,
      ),
      fix: `Call restoreInterruptedLimit, or run \`sudo nvidia-smi -i GPU-fake-0000 -pl 700\` and delete ${path}.`,
    })
    expect(cards.card().limitMw).toBe(400000)

    const [limit] = findInterruptedLimits(options)
    expect(limit).toMatchObject({
      state: 'interrupted',
      path,
      device,
      previous: { what: 'power-limit', powerLimitW: 700 },
      pid: child.process.pid,
      restoreCommand: 'sudo nvidia-smi -i GPU-fake-0000 -pl 700',
    })
    if (limit === undefined || limit.state === 'damaged') throw new Error('nothing was found')
    restoreInterruptedLimit(limit, options)
    await expectAsBefore()
    expect(await withPowerLimit(300, () => cards.card().limitMw, options)).toBe(300000)
  })
})

describe('two processes', () => {
  test('race for one GPU: one gets it, the other is refused', async () => {
    const racers = [start(), start()]
    const lines = await Promise.all(racers.map((racer) => racer.nextLine()))
    expect(lines.toSorted()).toEqual(['holding', expect.stringMatching(/^refused: .* is held by/)])
    expect(cards.card()).toMatchObject({ limitMw: 400000, sets: 1 })
    for (const racer of racers) racer.process.stdin.end()
    await Promise.all(racers.map((racer) => racer.exited))
    await expectAsBefore()
  })

  test('hold two GPUs; when one is killed the other keeps its limit', async () => {
    const first = await startHolding()
    await startHolding({ device: 'GPU-fake-0001' })
    first.process.kill('SIGKILL')
    await eventually(() => expect(cards.card(0).limitMw).toBe(700000))
    expect(cards.card(1).limitMw).toBe(400000)
  })

  test('follow each other at once: the second waits for the guard of the first, which was killed', async () => {
    const first = await startHolding()
    first.process.kill('SIGKILL')
    await first.exited
    const second = await startHolding()
    second.process.stdin.end()
    expect(await second.nextLine()).toBe('done')
    await expectAsBefore()
  })

  test('follow each other: the second brings back what was there before the first', async () => {
    const first = await startHolding()
    const [guard = 0] = guardsOf(cards.stateDir)
    process.kill(guard, 'SIGSTOP')
    first.process.kill('SIGKILL')
    await first.exited
    // It finds 400 W and the lock of the dead process, whose guard goes on only now.
    const run = withPowerLimit(300, () => cards.card().limitMw, {
      device,
      nvmlLibraryPath,
      stateDir: cards.stateDir,
      guardPath: built.guard,
    })
    process.kill(guard, 'SIGCONT')
    expect(await run).toBe(300000)
    await expectAsBefore()
  })
})
