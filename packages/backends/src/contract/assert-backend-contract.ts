import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { type BackendContractOptions, backendContract } from './backend-contract.js'

/** Runs every check, one after the other, and rejects with `contract-violated` that lists all breaches. */
export async function assertBackendContract(options: BackendContractOptions): Promise<void> {
  const checks = backendContract(options)
  const breaches: string[] = []
  const causes: unknown[] = []
  for (const check of checks) {
    await check.run().catch((error: unknown) => {
      breaches.push(`${check.name}: ${messageOf(error)}`)
      causes.push(error)
    })
  }
  if (breaches.length === 0) return
  throw new EnergyBenchError(
    'contract-violated',
    `The backend breaks ${breaches.length} of ${checks.length} promises: ${breaches.join('; ')}.`,
    {
      fix: 'Mend the backend, or lower what it claims in supports.',
      cause: new AggregateError(causes, 'every breach'),
    },
  )
}
