import { openMeter } from '@energy-bench/meter'
import { describe, test } from 'vitest'
import { meterContract } from '../../src/contract/index.js'
import { buildFakeNvml } from '../build-fake-nvml.js'

/** A machine that is busy with other work can spoil a measurement in real time, not several in a row. */
const realTime = { retry: 2 }
const nvmlLibraryPath = buildFakeNvml({ READ_MS: 3 })

describe.each([
  ['NVML over the fake library', { meter: 'nvml', nvmlLibraryPath, environment: {} }],
  ['the CPU estimate', { meter: 'cpu' }],
] as const)('a meter of %s', (_, options) => {
  for (const check of meterContract({ create: () => openMeter(options) }))
    test.concurrent(check.name, realTime, check.run)
})
