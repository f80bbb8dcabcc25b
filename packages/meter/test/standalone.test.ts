import { setTimeout as delay } from 'node:timers/promises'
import { measureEnergy, openMeter, samplePower, toPrometheus } from '@energy-bench/meter'
import { createFakeClock, createFakeMeter } from '@energy-bench/meter/fake'
import { type EnergyReading, type Meter, unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { buildFakeNvml } from './build-fake-nvml.js'

const environment = {}

describe('measureEnergy', () => {
  test('gives the value of the work and what it cost, on a meter that stays open', async () => {
    const clock = createFakeClock()
    await using meter = createFakeMeter({ powerW: 300, clock })
    const work = async () => {
      clock.advance(2)
      return 42
    }
    const first = await measureEnergy(work, { meter })
    expect(first).toMatchObject({
      value: 42,
      durationS: 2,
      method: 'counter',
      totals: { counter: { energyJ: 600, domainIds: ['fake:counter'] } },
    })
    expect((await measureEnergy(work, { meter })).value).toBe(42)
  })

  test('what the work throws goes through', async () => {
    await using meter = createFakeMeter()
    const failing = measureEnergy(() => Promise.reject(new Error('no')), { meter })
    await expect(failing).rejects.toThrow('no')
  })

  test('opens a meter of its own, waits for its first tick, and closes it', async () => {
    const nvmlLibraryPath = buildFakeNvml()
    const { totals, method } = await measureEnergy(() => delay(400), {
      nvmlLibraryPath,
      environment,
    })
    expect(method).toBe('counter')
    const energy = totals.counter
    if (energy?.status !== 'measured') throw new Error(JSON.stringify(energy))
    expect(energy.energyJ).toBeGreaterThan(120)
    expect(energy.energyJ).toBeLessThan(600)
  })
})

describe('samplePower', () => {
  test('gives the mean power of stretches that follow each other', async () => {
    const clock = createFakeClock()
    const meter = createFakeMeter({ powerW: 300, idleW: 100, clock })
    const samples: unknown[] = []
    const stream = samplePower(meter, { intervalS: 2 })
    const first = stream.next()
    clock.advance(1)
    await meter.work(() => clock.advance(1))
    samples.push((await first).value)
    clock.advance(2)
    samples.push((await stream.next()).value)
    expect(samples).toEqual([
      { timeS: 1002, powerW: { 'fake:counter': 200 } },
      { timeS: 1004, powerW: { 'fake:counter': 100 } },
    ])
  })

  test('ends with the reason of its signal', async () => {
    const meter = createFakeMeter({ clock: createFakeClock() })
    const reason = new Error('enough')
    const next = samplePower(meter, { signal: AbortSignal.abort(reason) }).next()
    await expect(next).rejects.toBe(reason)
  })

  test('an interval of 0 is refused', async () => {
    const next = samplePower(createFakeMeter(), { intervalS: 0 }).next()
    await expect(next).rejects.toMatchObject({ code: 'usage-invalid' })
  })
})

describe('toPrometheus', () => {
  test('counts from the first scrape and tells the power', async () => {
    const clock = createFakeClock()
    const meter = createFakeMeter({ powerW: 300, clock })
    expect(await toPrometheus(meter)).toContain(
      'joules_total{domain="fake:counter",device="fake",method="counter"} 0\n',
    )
    clock.advance(2)
    await toPrometheus(meter)
    clock.advance(1)
    expect(await toPrometheus(meter)).toBe(
      [
        '# HELP energy_bench_energy_joules_total Energy since the first scrape, joules.',
        '# TYPE energy_bench_energy_joules_total counter',
        'energy_bench_energy_joules_total{domain="fake:counter",device="fake",method="counter"} 900',
        '# HELP energy_bench_power_watts Mean power over the last second, watts.',
        '# TYPE energy_bench_power_watts gauge',
        'energy_bench_power_watts{domain="fake:counter",device="fake",method="counter"} 300',
        '# HELP energy_bench_unavailable 1 for a domain that cannot be read now.',
        '# TYPE energy_bench_unavailable gauge',
        '',
      ].join('\n'),
    )
  })

  test('a domain that cannot be read has a reason in place of a power, and adds nothing', async () => {
    const clock = createFakeClock()
    const fake = createFakeMeter({ clock })
    const lost = unavailable('device-lost', 'gone')
    const meter: Meter = {
      ...fake,
      energyBetween: async (startS, endS): Promise<EnergyReading> => {
        const reading = await fake.energyBetween(startS, endS)
        return { ...reading, domains: { 'fake:counter': lost } }
      },
    }
    await toPrometheus(meter)
    clock.advance(1)
    const text = await toPrometheus(meter)
    expect(text).toContain('joules_total{domain="fake:counter",device="fake",method="counter"} 0\n')
    expect(text).toContain(
      'energy_bench_unavailable{domain="fake:counter",device="fake",method="counter",reason="device-lost"} 1',
    )
    expect(text).not.toContain('watts{')
  })

  test('a real meter is told, too', async () => {
    await using meter = await openMeter({ nvmlLibraryPath: buildFakeNvml(), environment })
    await delay(1300)
    expect(await toPrometheus(meter)).toMatch(
      /power_watts\{domain="nvml:GPU-fake-0000:counter"[^}]*\} [34]\d\d/,
    )
  })
})
