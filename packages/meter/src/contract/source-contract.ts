import type { EnergySource } from '@energy-bench/spec'
import { assertChecks, type ContractCheck, createChecks } from './contract-check.js'
import { sourceLifetimeChecks } from './source-lifetime-checks.js'
import { sourceSampleChecks } from './source-sample-checks.js'

/** Which source is tested, and how. */
export interface SourceContractOptions {
  /** Makes a fresh source; every check opens and disposes its own. */
  readonly create: () => EnergySource | Promise<EnergySource>
  /** What happens between two polls: time passes, a fixture moves on. Default: nothing. */
  readonly between?: (poll: number) => Promise<void> | void
  /** Polls of each check. Default 5. */
  readonly polls?: number
  /** Limit of one check, seconds. Default 60. */
  readonly timeoutS?: number
}

/** What a check of a source works with. */
export interface SourceCheckContext {
  readonly create: () => Promise<EnergySource>
  readonly between: (poll: number) => Promise<void>
  readonly polls: number
}

/**
 * All checks of a source, one promise each.
 *
 * @example
 * for (const check of sourceContract({ create })) test(check.name, check.run)
 */
export function sourceContract(options: SourceContractOptions): readonly ContractCheck[] {
  const { create, between = () => {}, polls = 5, timeoutS = 60 } = options
  const context: SourceCheckContext = {
    create: async () => create(),
    between: async (poll) => between(poll),
    polls,
  }
  return createChecks({ ...sourceSampleChecks, ...sourceLifetimeChecks }, context, timeoutS)
}

/** Runs every check of a source, one after the other, and rejects with `contract-violated` that lists all breaches. */
export async function assertSourceContract(options: SourceContractOptions): Promise<void> {
  await assertChecks('source', sourceContract(options))
}
