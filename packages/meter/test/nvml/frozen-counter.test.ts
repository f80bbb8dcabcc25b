import { setTimeout as delay } from 'node:timers/promises'
import { assessReading, openMeter, primaryMethod, totalByMethod } from '@energy-bench/meter'
import type { EnergyReading, Meter } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { buildFakeNvml } from '../build-fake-nvml.js'

const COUNTER = 'nvml:GPU-fake-0000:counter'
const POWER = 'nvml:GPU-fake-0000:power'
/** A machine that is busy with other work can spoil a measurement in real time, not several in a row. */
const realTime = { retry: 3, timeout: 30_000 }

let copies = 0
/** A meter on a GPU at 400 W whose counter stands from so many milliseconds after the library was loaded. */
function openFrozen(afterMs: number): Promise<Meter> {
  copies += 1
  // A library that was loaded before is frozen already, so that each try needs one of its own.
  const nvmlLibraryPath = buildFakeNvml({ FROZEN_AFTER_MS: afterMs }, `frozen-${copies}`)
  return openMeter({ meter: 'nvml', nvmlLibraryPath, environment: {} })
}

async function readAt(meter: Meter, startS: number, durationS: number): Promise<EnergyReading> {
  await delay(Math.max(0, 1000 * (startS + durationS - meter.now())))
  return meter.energyBetween(startS, startS + durationS)
}

function expectPowerInItsPlace(meter: Meter, reading: EnergyReading): void {
  const power = reading.domains[POWER]
  if (power?.status !== 'measured') throw new Error(JSON.stringify(power))
  expect(power.energyJ / (400 * reading.durationS)).toBeCloseTo(1, 2)
  expect(primaryMethod(totalByMethod(reading, meter.domains))).toBe('integrated-power')
  const { domains, devices } = meter
  const flags = assessReading({ reading, domains, devices, states: [] })
  expect(flags.find(({ name }) => name === 'frozen-counter')).toMatchObject({
    severity: 'warning',
    fix: 'Use the other reading of the device; a restart of the machine often helps.',
  })
}

describe.concurrent('row 45: an NVIDIA counter that stands while its GPU draws power', () => {
  test('is told from its last change on, and what it counted before stays', realTime, async () => {
    await using meter = await openFrozen(2000)
    const openedS = meter.now()
    const before = await readAt(meter, openedS + 0.3, 0.5)
    const young = await readAt(meter, openedS + 2.2, 0.5)
    const across = await readAt(meter, openedS + 1, 6.8)
    const after = await readAt(meter, openedS + 6.8, 1)
    expect(before.domains[COUNTER]).toMatchObject({ status: 'measured', method: 'counter' })
    expect(young.domains[COUNTER]).toMatchObject({ status: 'unavailable', reason: 'no-data' })
    expect(across.domains[COUNTER]).toMatchObject({ status: 'unavailable', reason: 'stalled' })
    expect(after.domains[COUNTER]).toMatchObject({
      status: 'unavailable',
      reason: 'stalled',
      detail: expect.stringMatching(/^the counter has stood at \d+(\.\d+)? J for \d+\.\d s, while/),
    })
    expectPowerInItsPlace(meter, after)
  })

  test('is told when it never moved at all', realTime, async () => {
    await using meter = await openFrozen(1)
    const reading = await readAt(meter, meter.now() + 4.8, 1)
    expect(reading.domains[COUNTER]).toMatchObject({ status: 'unavailable', reason: 'stalled' })
    expectPowerInItsPlace(meter, reading)
  })
})
