import { setTimeout as delay } from 'node:timers/promises'
import { detectMeters, openMeter, primaryMethod, totalByMethod } from '@energy-bench/meter'
import { describe, expect, test } from 'vitest'
import { buildFakeNvml } from './build-fake-nvml.js'

const environment = {}
/** A machine that is busy with other work can spoil a measurement in real time, not several in a row. */
const realTime = { retry: 3 }
const absent = { nvmlLibraryPath: '/nowhere/libnvidia-ml.so.1', environment }

describe('a GPU with a counter that ticks each 100 ms at 400 W', () => {
  const nvmlLibraryPath = buildFakeNvml({ READ_MS: 3 })

  test(
    'a window of one second is within 1 %, and the uncertainty covers the truth',
    realTime,
    async () => {
      await using meter = await openMeter({ nvmlLibraryPath, environment })
      await delay(1000)
      const startS = meter.now()
      await delay(1000)
      const reading = await meter.energyBetween(startS, meter.now())
      const counter = reading.domains['nvml:GPU-fake-0000:counter']
      const truthJ = 400 * reading.durationS
      if (counter?.status !== 'measured') throw new Error(JSON.stringify(counter))
      expect(Math.abs(counter.energyJ / truthJ - 1)).toBeLessThan(0.01)
      expect(Math.abs(counter.energyJ - truthJ)).toBeLessThan(3 * counter.uncertaintyJ)
      expect(counter.uncertaintyJ).toBeLessThan(4)
      expect(counter.tickS).toBeCloseTo(0.1, 2)
      expect(counter.changes).toBeGreaterThanOrEqual(9)
      expect(counter.coverageRatio).toBe(1)
      const power = reading.domains['nvml:GPU-fake-0000:power']
      expect(power).toMatchObject({ status: 'measured', method: 'integrated-power' })
      expect(primaryMethod(totalByMethod(reading, meter.domains))).toBe('counter')
      expect(meter.selection[0]).toMatch(/^NVML is used: all GPUs/)
      expect(meter.devices).toMatchObject([
        { name: 'Fake H200', driver: '580.0.fake', powerLimitW: 700 },
      ])
      expect(meter.statesBetween(0, meter.now())[0]).toMatchObject({
        temperatureC: 41,
        clockHz: 1.98e9,
        throttleReasons: ['sw-power-cap', 'sw-thermal-slowdown'],
      })
    },
  )

  test('after dispose a reading is refused', async () => {
    const meter = await openMeter({ nvmlLibraryPath, environment })
    await meter[Symbol.asyncDispose]()
    await expect(meter.energyBetween(0, 1)).rejects.toMatchObject({ code: 'usage-invalid' })
  })

  test('a window of no length is a value, not an error', async () => {
    await using meter = await openMeter({ nvmlLibraryPath, environment })
    const reading = await meter.energyBetween(5, 5)
    expect(Object.values(reading.domains)).toMatchObject([
      { reason: 'window-invalid' },
      { reason: 'window-invalid' },
    ])
  })
})

describe('GPUs that misbehave', () => {
  test('before Volta there is no counter, and the power is integrated', async () => {
    const nvmlLibraryPath = buildFakeNvml({ ENERGY_RESULT: 3 })
    await using meter = await openMeter({ nvmlLibraryPath, environment })
    await delay(200)
    const startS = meter.now()
    await delay(500)
    const reading = await meter.energyBetween(startS, meter.now())
    const totals = totalByMethod(reading, meter.domains)
    expect(totals.counter).toMatchObject({ reason: 'not-supported' })
    expect(primaryMethod(totals)).toBe('integrated-power')
    const power = totals['integrated-power']
    if (power?.status !== 'measured') throw new Error(JSON.stringify(power))
    expect(power.energyJ / (400 * reading.durationS)).toBeCloseTo(1, 3)
  })

  test('a GPU that is lost is named so', async () => {
    const nvmlLibraryPath = buildFakeNvml({ LOST_AFTER_MS: 900 })
    await using meter = await openMeter({ nvmlLibraryPath, environment })
    const startS = meter.now() + 0.3
    await delay(1100)
    const reading = await meter.energyBetween(startS, meter.now())
    expect(Object.values(reading.domains)).toMatchObject([
      { reason: 'device-lost' },
      { reason: 'device-lost' },
    ])
  })

  test('when one GPU of two is lost, the other is measured on [41]', async () => {
    const nvmlLibraryPath = buildFakeNvml({
      GPUS: 2,
      LOST_GPU: 0,
      LOST_CODE: 999,
      LOST_AFTER_MS: 900,
    })
    await using meter = await openMeter({ nvmlLibraryPath, environment })
    const startS = meter.now() + 0.3
    await delay(1300)
    const { domains } = await meter.energyBetween(startS, meter.now())
    expect(domains['nvml:GPU-fake-0000:counter']).toMatchObject({ reason: 'device-lost' })
    expect(domains['nvml:GPU-fake-0000:power']).toMatchObject({ reason: 'device-lost' })
    expect(domains['nvml:GPU-fake-0001:counter']).toMatchObject({ status: 'measured' })
    expect(domains['nvml:GPU-fake-0001:power']).toMatchObject({ status: 'measured' })
  })

  test('a counter that starts again is named so, and never gives negative energy', async () => {
    const nvmlLibraryPath = buildFakeNvml({ RESET_AFTER_MS: 900 })
    await using meter = await openMeter({ nvmlLibraryPath, environment })
    const startS = meter.now() + 0.3
    await delay(1200)
    const reading = await meter.energyBetween(startS, meter.now())
    expect(reading.domains['nvml:GPU-fake-0000:counter']).toMatchObject({ reason: 'counter-reset' })
  })

  test('absurd values are not believed', async () => {
    const nvmlLibraryPath = buildFakeNvml({ ABSURD: 1 })
    await using meter = await openMeter({ nvmlLibraryPath, environment })
    const startS = meter.now() + 0.3
    await delay(600)
    const reading = await meter.energyBetween(startS, meter.now())
    expect(Object.values(reading.domains)).toMatchObject([
      { reason: 'implausible' },
      { reason: 'implausible' },
    ])
  })
})

describe('which meter is chosen', () => {
  test('without NVML the estimate is used, and the reason is told', async () => {
    await using meter = await openMeter(absent)
    expect(meter.selection[0]).toMatch(/^NVML: library-missing: /)
    expect(meter.selection.at(-1)).toMatch(/^CPU estimate is used: /)
    expect(meter.domains).toMatchObject([{ method: 'model' }])
  })

  test('NVML by name, when it is missing, is an error with a remedy', async () => {
    await expect(openMeter({ ...absent, meter: 'nvml' })).rejects.toMatchObject({
      code: 'meter-unavailable',
      fix: 'Install the NVIDIA driver; in a container, start it with --gpus all.',
    })
  })

  test.each([
    [9, 'driver-mismatch', 'Load the NVIDIA driver'],
    [18, 'driver-mismatch', 'Reboot'],
    [4, 'permission-denied', 'Give this user access'],
  ])('init that fails with %d is %s, and the remedy says: %s', async (code, reason, fix) => {
    const nvmlLibraryPath = buildFakeNvml({ INIT_RESULT: code })
    const meters = await detectMeters({ nvmlLibraryPath, environment })
    const [nvml, cpu] = ['nvml', 'cpu'].map((id) => meters.find((meter) => meter.id === id))
    expect(nvml).toMatchObject({
      id: 'nvml',
      status: 'unavailable',
      reason,
      fix: expect.stringContaining(fix),
    })
    expect(cpu).toMatchObject({ id: 'cpu', status: 'available' })
  })

  test('what the driver knows of each GPU is told without opening a meter', async () => {
    const nvmlLibraryPath = buildFakeNvml({ GPUS: 2, ENERGY_RESULT: 3 })
    const meters = await detectMeters({ nvmlLibraryPath, environment })
    expect(meters.find((meter) => meter.id === 'nvml')).toMatchObject({
      status: 'available',
      devices: [
        { id: 'GPU-fake-0000', powerLimitRangeW: [200, 700], isEcc: true, isMig: false },
        { id: 'GPU-fake-0001', driver: '580.0.fake', counter: { reason: 'not-supported' } },
      ],
    })
  })

  test('the GPUs on which a process runs are metered', async () => {
    const nvmlLibraryPath = buildFakeNvml({ GPUS: 3 })
    await using meter = await openMeter({ nvmlLibraryPath, environment, processIds: [4301] })
    expect(meter.devices.map((device) => device.id)).toEqual(['GPU-fake-0001'])
  })

  test('a GPU keeps its identity when the order changes between two opens', async () => {
    const nvmlLibraryPath = buildFakeNvml({ GPUS: 2, SWAP_ORDER: 1 })
    await using meter = await openMeter({
      nvmlLibraryPath,
      environment,
      devices: ['GPU-fake-0001'],
    })
    await delay(900)
    const startS = meter.now() - 0.6
    const reading = await meter.energyBetween(startS, startS + 0.5)
    const counter = reading.domains['nvml:GPU-fake-0001:counter']
    if (counter?.status !== 'measured') throw new Error(JSON.stringify(counter))
    // GPU 1 draws 500 W, GPU 0 400 W.
    expect(Math.abs(counter.energyJ - 250)).toBeLessThan(24)
  })
})

test('the CPU estimate counts work that this process does', async () => {
  await using meter = await openMeter({ meter: 'cpu', wattsPerCore: 20 })
  await delay(120)
  const before = process.cpuUsage()
  const startS = meter.now()
  while (meter.now() - startS < 0.4) Math.sqrt(startS)
  const endS = meter.now()
  const { user, system } = process.cpuUsage(before)
  const reading = await meter.energyBetween(startS, endS)
  const energy = reading.domains['cpu-estimate']
  if (energy?.status !== 'measured') throw new Error(JSON.stringify(energy))
  expect(energy.energyJ / (20 * ((user + system) / 1e6))).toBeGreaterThan(0.7)
  expect(energy.energyJ / (20 * ((user + system) / 1e6))).toBeLessThan(1.3)
  expect(energy.method).toBe('model')
})
