import assert from 'node:assert/strict'
import { EnergyBenchError } from '@energy-bench/spec'

/** One promise that is kept. Works as a test in any runner: `test(check.name, check.run)`. */
export interface ContractCheck {
  readonly name: string
  /** Rejects when the promise is broken. */
  run(): Promise<void>
}

/** Bodies of checks by name, for one kind of thing. */
export type CheckBodies<Context> = Readonly<Record<string, (context: Context) => Promise<void>>>

/** Makes checks of bodies, each with a limit of time, seconds. */
export function createChecks<Context>(
  bodies: CheckBodies<Context>,
  context: Context,
  timeoutS: number,
): readonly ContractCheck[] {
  return Object.entries(bodies).map(([name, body]) => ({
    name,
    run: () => withinTime(timeoutS, () => body(context)),
  }))
}

/** Runs every check, one after the other, and rejects with `contract-violated` that lists all breaches. */
export async function assertChecks(what: string, checks: readonly ContractCheck[]): Promise<void> {
  const breaches: string[] = []
  const causes: unknown[] = []
  for (const check of checks) {
    await check.run().catch((error: unknown) => {
      breaches.push(`${check.name}: ${error instanceof Error ? error.message : String(error)}`)
      causes.push(error)
    })
  }
  if (breaches.length === 0) return
  throw new EnergyBenchError(
    'contract-violated',
    `The ${what} breaks ${breaches.length} of ${checks.length} promises: ${breaches.join('; ')}.`,
    {
      fix: `Mend the ${what}.`,
      cause: new AggregateError(causes, 'every breach'),
    },
  )
}

async function withinTime(limitS: number, body: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = new assert.AssertionError({ message: `no result within ${limitS} s` })
    timer = setTimeout(() => reject(error), limitS * 1000)
  })
  try {
    await Promise.race([body(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
