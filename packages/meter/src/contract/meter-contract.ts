import { setTimeout as delay } from 'node:timers/promises'
import type { Meter } from '@energy-bench/spec'
import { assertChecks, type ContractCheck, createChecks } from './contract-check.js'
import { meterLifetimeChecks } from './meter-lifetime-checks.js'
import { meterReadingChecks } from './meter-reading-checks.js'
import { meterWindowChecks } from './meter-window-checks.js'

/** Which meter is tested, and how time passes for it. */
export interface MeterContractOptions {
  /** Makes a fresh meter; every check opens and disposes its own. */
  readonly create: () => Meter | Promise<Meter>
  /** Lets so many seconds of the meter's clock pass, at least. Default: waits. */
  readonly pass?: (durationS: number, meter: Meter) => Promise<void> | void
  /** Length of a window, seconds; some ticks of the slowest source. Default 0.6. */
  readonly windowS?: number
  /** Limit of one check, seconds. Default 60. */
  readonly timeoutS?: number
}

/** What a check of a meter works with. */
export interface MeterCheckContext {
  readonly create: () => Promise<Meter>
  readonly pass: (durationS: number, meter: Meter) => Promise<void>
  readonly windowS: number
}

/**
 * All checks of a meter, one promise each.
 *
 * @example
 * for (const check of meterContract({ create: () => openMeter() })) test(check.name, check.run)
 */
export function meterContract(options: MeterContractOptions): readonly ContractCheck[] {
  const { create, pass = wait, windowS = 0.6, timeoutS = 60 } = options
  const context: MeterCheckContext = {
    create: async () => create(),
    pass: async (durationS, meter) => pass(durationS, meter),
    windowS,
  }
  const bodies = { ...meterReadingChecks, ...meterWindowChecks, ...meterLifetimeChecks }
  return createChecks(bodies, context, timeoutS)
}

/** Runs every check of a meter, one after the other, and rejects with `contract-violated` that lists all breaches. */
export async function assertMeterContract(options: MeterContractOptions): Promise<void> {
  await assertChecks('meter', meterContract(options))
}

async function wait(durationS: number): Promise<void> {
  await delay(1000 * durationS)
}
