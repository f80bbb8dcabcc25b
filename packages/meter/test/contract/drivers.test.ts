import { type EnergySource, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { afterAll, describe, test } from 'vitest'
import { openAmdGpuSource } from '../../src/amd/source.js'
import { type SourceContractOptions, sourceContract } from '../../src/contract/index.js'
import { createCpuSource } from '../../src/cpu-estimate/source.js'
import { openIntelGpuSource } from '../../src/intel/source.js'
import { openNvmlSource } from '../../src/nvml/source.js'
import { openRaplSource } from '../../src/rapl/source.js'
import { createReplaySource } from '../../src/recording/replay-source.js'
import { createWallSource } from '../../src/wall/index.js'
import { buildFakeAmdSmi } from '../amd/fake-amdsmi.js'
import { amdGpu } from '../amd/trees.js'
import { M1 } from '../apple/fakes/chips.js'
import { createFakeMac, opened } from '../apple/fakes/fake-mac.js'
import { buildFakeNvml } from '../build-fake-nvml.js'
import { domain } from '../flags/assessment.js'
import { buildFakeLevelZero } from '../intel/fake-level-zero.js'
import { intelGpu, XE_SENSORS } from '../intel/trees.js'
import { createClock, createFixture } from '../linux/fixture.js'
import { ULTRA_265H } from '../rapl/trees.js'
import { only, startPlug } from '../wall/server.js'

function present(source: EnergySource | Unavailable): EnergySource {
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

const clock = createClock()
const tick = (): void => clock.advance(0.1)
const rapl = createFixture(ULTRA_265H)
const amd = createFixture(amdGpu(0, '03', { name: 'amdgpu', power1_average: 40_000_000 }))
const amdSmi = buildFakeAmdSmi(26)
const intel = createFixture(intelGpu('xe', '03', XE_SENSORS))
const bareIntel = createFixture(intelGpu('xe', '03'))
const levelZero = buildFakeLevelZero()
const mac = createFakeMac()
const plug = await startPlug(
  only('/api/v1/data', { active_power_w: 100, total_power_import_kwh: 1 }),
)

afterAll(async () => {
  for (const fixture of [rapl, amd, intel, bareIntel]) fixture[Symbol.dispose]()
  await plug[Symbol.asyncDispose]()
})

function openMac(): Promise<EnergySource> {
  mac.systemBrand('Apple M3 Max')
  mac.smcType('flt ')
  mac.smcPower(40)
  mac.setTime(100)
  mac.play(M1)
  return opened(mac)
}

const drivers: readonly (readonly [string, SourceContractOptions])[] = [
  ['CPU estimate', { create: () => createCpuSource() }],
  [
    'NVML over the fake library',
    {
      create: async () => {
        const libraryPath = buildFakeNvml()
        return present(await openNvmlSource({ libraryPath, devices: ['GPU-fake-0000'] }))
      },
      between: () => new Promise((resolve) => setTimeout(resolve, 30)),
    },
  ],
  [
    'RAPL over a tree of files',
    {
      create: async () => present(await openRaplSource({ ...rapl, now: clock.now })),
      between: tick,
    },
  ],
  [
    'AMD over hwmon and the fake library',
    {
      create: async () =>
        present(
          await openAmdGpuSource({ root: amd.root, libraryPath: amdSmi.path, now: clock.now }),
        ),
      between: (poll) => {
        amdSmi.setEnergy(1e6 + 1e5 * poll)
        amdSmi.setPower(40, 40)
        tick()
      },
    },
  ],
  [
    'Intel over hwmon',
    {
      create: async () => present(await openIntelGpuSource({ root: intel.root, now: clock.now })),
      between: tick,
    },
  ],
  [
    'Intel over the fake Level Zero',
    {
      create: async () =>
        present(
          await openIntelGpuSource({
            root: bareIntel.root,
            libraryPath: levelZero.path,
            now: clock.now,
          }),
        ),
      between: (poll) => {
        levelZero.setEnergy(5e6 + 1e6 * poll)
        tick()
      },
    },
  ],
  [
    'Apple Silicon over the fake libraries',
    { create: openMac, between: (poll) => mac.setTime(100 + 2.1 * poll) },
  ],
  [
    'a wall plug over its local server',
    {
      create: () =>
        createWallSource({ kind: 'homewizard', host: plug.host, name: 'desk' }, { now: clock.now }),
      between: tick,
    },
  ],
  [
    'a replay',
    {
      create: () =>
        createReplaySource(
          {
            domains: [domain('counter')],
            points: [1, 2, 3, 4, 5, 6, 7].map((timeS) => ({
              domain: 'counter',
              timeS,
              halfWidthS: 0.01,
              energyJ: 40 * timeS,
            })),
            startS: 1,
            endS: 7,
          },
          'real',
          clock.now,
        ),
      between: () => clock.advance(1.01),
    },
  ],
]

describe.each(drivers)('%s', (_, options) => {
  for (const check of sourceContract(options)) test(check.name, check.run)
})
