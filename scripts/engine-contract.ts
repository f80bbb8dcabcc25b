// Prints every promise of the contract and whether the engine at a URL keeps it; see contract.mjs.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { connectEngine } from '@energy-bench/backends'
import { backendContract, type ContractCheck } from '@energy-bench/backends/contract'
import { isEnergyBenchError, type ModelRef } from '@energy-bench/spec'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, model: { type: 'string' } },
})
const baseUrl = positionals[0] ?? fail('Which engine? npm run contract -- URL [--concurrency 8]')
const concurrency = Number(values.concurrency)
if (!Number.isInteger(concurrency) || concurrency < 1) fail('--concurrency is a number from 1 on.')
const model: ModelRef = values.model === undefined ? {} : { id: values.model }

await printEngine().catch((error: unknown) => fail(describe(error)))
const create = () => connectEngine({ baseUrl })
const checks = backendContract({ create, model, concurrency })
const broken: string[] = []
for (const check of checks) await printCheck(check)
process.stdout.write(`${checks.length - broken.length} kept, ${broken.length} broken\n`)
process.exit(broken.length === 0 ? 0 : 1)

/** The engine as it describes itself. */
async function printEngine(): Promise<void> {
  await using backend = await connectEngine({ baseUrl })
  await using loaded = await backend.load(model)
  const { engine, engineVersion, quantization, slots } = loaded.info
  const facts = { engine, engineVersion, quantization, slots, concurrency }
  process.stdout.write(`${JSON.stringify(facts)}\n`)
}

async function printCheck({ name, run }: ContractCheck): Promise<void> {
  try {
    await run()
    process.stdout.write(`kept    ${name}\n`)
  } catch (error) {
    broken.push(name)
    process.stdout.write(`BROKEN  ${name}: ${describe(error)}\n`)
  }
}

function describe(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: String(error) }
  return isEnergyBenchError(error) && error.fix !== undefined ? `${message} ${error.fix}` : message
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}
