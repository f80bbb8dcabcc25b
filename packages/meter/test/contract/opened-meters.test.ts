import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenMeterOptions, openMeter } from '@energy-bench/meter'
import { afterAll, describe, test } from 'vitest'
import { meterContract } from '../../src/contract/index.js'
import { buildFakeAmdSmi } from '../amd/fake-amdsmi.js'
import { amdGpu } from '../amd/trees.js'
import { M1 } from '../apple/fakes/chips.js'
import { createFakeMac } from '../apple/fakes/fake-mac.js'
import { buildFakeNvml } from '../build-fake-nvml.js'
import { intelGpu, XE_SENSORS } from '../intel/trees.js'
import { createFixture, type Fixture } from '../linux/fixture.js'
import { energyPath, ULTRA_265H } from '../rapl/trees.js'
import { startKind } from '../wall/every-kind.js'

/** A machine that is busy with other work can spoil a measurement in real time, not several in a row. */
const realTime = { retry: 2, timeout: 60_000 }
const STEP_MS = 20
const DRAWN_W = 40

const rapl = createFixture(ULTRA_265H)
const amd = createFixture(amdGpu(0, '03', { name: 'amdgpu', power1_average: 1e6 * DRAWN_W }))
const amdSmi = buildFakeAmdSmi(26)
const intel = createFixture(intelGpu('xe', '03', XE_SENSORS))
const mac = createFakeMac()
const plug = await startKind('http-json')
const recording = join(tmpdir(), `energy-bench-contract-${process.pid}.jsonl`)

/** A file of sysfs in which a number is replaced as the kernel does it: a reader sees the old one or the new one. */
function openCounter(fixture: Fixture, path: string): (microjoules: number) => void {
  fixture.write(path, '0'.repeat(18))
  const file = openSync(join(fixture.root, path), 'r+')
  closers.push(() => closeSync(file))
  return (microjoules) => void writeSync(file, String(Math.round(microjoules)).padStart(18, '0'), 0)
}

const closers: (() => void)[] = []
const counters = [
  ...['intel-rapl:0', 'intel-rapl:0:0', 'intel-rapl:0:1', 'intel-rapl:1'].map((id) =>
    openCounter(rapl, energyPath(id)),
  ),
  openCounter(intel, 'class/drm/card3/device/hwmon/hwmon1/energy1_input'),
  openCounter(intel, 'class/drm/card3/device/hwmon/hwmon1/energy2_input'),
]

/** Everything draws 40 W; time goes on for the Mac. */
function moveOn(): void {
  const nowS = performance.now() / 1000
  for (const count of counters) count(1e6 * DRAWN_W * (nowS + 100))
  amdSmi.setEnergy((1e6 * DRAWN_W * (nowS + 100)) / 15.3)
  mac.setTime(100 + nowS)
}

mac.systemBrand('Apple M1')
mac.smcType('flt ')
mac.smcPower(DRAWN_W)
mac.play(M1)
amdSmi.setPower(DRAWN_W, DRAWN_W)
moveOn()
const moving = setInterval(moveOn, STEP_MS)

writeFileSync(
  recording,
  [
    { type: 'domain', id: 'a', kind: 'gpu', method: 'counter', label: 'A', deviceId: 'gpu' },
    ...Array.from({ length: 600 }, (_, index) => ({
      type: 'point',
      domain: 'a',
      timeS: index / 10,
      halfWidthS: 0.001,
      energyJ: 4 * index,
    })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
)

afterAll(async () => {
  clearInterval(moving)
  for (const close of closers) close()
  for (const fixture of [rapl, amd, intel]) fixture[Symbol.dispose]()
  rmSync(recording)
  await plug[Symbol.asyncDispose]()
})

interface Opened {
  readonly options: OpenMeterOptions
  /** Seconds; some ticks of the source. */
  readonly windowS: number
}

const meters: readonly (readonly [string, Opened])[] = [
  [
    'NVML over the fake library',
    {
      options: {
        meter: 'nvml',
        nvmlLibraryPath: buildFakeNvml({ READ_MS: 3 }),
        environment: {},
      },
      windowS: 0.6,
    },
  ],
  ['the CPU estimate', { options: { meter: 'cpu' }, windowS: 0.6 }],
  [
    'RAPL over a tree of files',
    { options: { meter: 'rapl', sysRoot: rapl.root, procRoot: rapl.procRoot }, windowS: 0.6 },
  ],
  [
    'AMD over hwmon and the fake library',
    {
      options: { meter: 'amd', sysRoot: amd.root, amdLibraryPath: amdSmi.path },
      windowS: 0.6,
    },
  ],
  ['Intel over hwmon', { options: { meter: 'intel', sysRoot: intel.root }, windowS: 0.6 }],
  [
    'Apple Silicon over the fake libraries',
    {
      options: {
        meter: 'apple',
        appleLibraries: mac.libraries,
        platform: 'darwin',
        arch: 'arm64',
      },
      windowS: 0.6,
    },
  ],
  [
    'a wall plug over its local server',
    { options: { meter: 'wall', wall: [plug.config] }, windowS: 1.5 },
  ],
  [
    'a replay',
    { options: { meter: 'replay', replay: { path: recording, time: 'real' } }, windowS: 0.6 },
  ],
]

describe.each(meters)('a meter of %s', (_, { options, windowS }) => {
  for (const check of meterContract({ create: () => openMeter(options), windowS }))
    test.concurrent(check.name, realTime, check.run)

  test.concurrent('measures something in that window', realTime, async ({ expect }) => {
    await using meter = await openMeter(options)
    await new Promise((resolve) => setTimeout(resolve, 2000 * windowS))
    const endS = meter.now()
    const { domains } = await meter.energyBetween(endS - windowS, endS)
    expect(Object.values(domains).map(({ status }) => status)).toContain('measured')
  })
})
