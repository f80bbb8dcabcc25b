import { afterAll, describe, expect, test } from 'vitest'
import { sourceContract } from '../../src/contract/index.js'
import { createWallSource } from '../../src/wall/index.js'
import { createClock } from '../linux/fixture.js'
import { EVERY_KIND, SPOKEN_W, startKind } from '../wall/every-kind.js'
import { sampleOf } from '../wall/sampling.js'

const clock = createClock()
const plugs = await Promise.all(
  EVERY_KIND.map(async (kind) => ({ kind, plug: await startKind(kind) })),
)

afterAll(async () => {
  for (const { plug } of plugs) await plug[Symbol.asyncDispose]()
})

describe.each(plugs)('a plug of kind $kind over its own protocol', ({ plug }) => {
  const checks = sourceContract({
    create: () => createWallSource(plug.config, { now: clock.now }),
    between: () => clock.advance(1),
  })
  for (const check of checks) test(check.name, check.run)

  test('tells its power in watts and its counter in joules, and is asked for nothing else', async () => {
    await using source = createWallSource(plug.config, { now: clock.now })
    const [first, second] = [await sampleOf(source), await sampleOf(source)]
    expect([first.powerW, second.powerW]).toEqual([SPOKEN_W, SPOKEN_W])
    const hasCounter = plug.config.kind !== 'tapo'
    const gainedJ = Number(second.energyJ) - Number(first.energyJ)
    if (hasCounter) expect(gainedJ).toBeCloseTo(3600, 6)
    else expect(first.energyJ).toBeUndefined()
    expect(plug.refused()).toEqual([])
  })
})
