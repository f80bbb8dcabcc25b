import { once } from 'node:events'
import { isEnergyBenchError } from '@energy-bench/spec'
import { withLockedClocks } from '../../src/knobs/locked-clocks.js'
import { withPowerLimit } from '../../src/knobs/power-limit.js'

/** How the child is told what to do: JSON in its first argument. */
export interface ChildOrder {
  readonly device: string
  readonly nvmlLibraryPath: string
  readonly stateDir: string
  /** Left out: the guard that was built beside the child. */
  readonly guardPath?: string
  readonly what: 'power-limit' | 'locked-clocks'
  /** `input`: until the standard input ends. `exit`: calls process.exit. `nothing`: nothing is left to wait for. */
  readonly until: 'input' | 'exit' | 'nothing' | 'crash'
  /** The child has a listener of its own for SIGTERM. */
  readonly handlesTerm?: true
}

const order: ChildOrder = JSON.parse(process.argv[2] ?? '')
if (order.handlesTerm === true) process.on('SIGTERM', () => say('term'))

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function work(signal: AbortSignal): Promise<string> {
  say('holding')
  if (order.until === 'exit') process.exit(3)
  if (order.until === 'nothing') await new Promise(() => {})
  if (order.until === 'crash') setTimeout(() => JSON.parse('{'), 0)
  process.stdin.resume()
  await once(process.stdin, 'end', { signal })
  return 'done'
}

try {
  const result = await (order.what === 'power-limit'
    ? withPowerLimit(400, work, order)
    : withLockedClocks(1.2e9, work, order))
  say(result)
} catch (error) {
  if (!isEnergyBenchError(error)) say(error instanceof Error ? error.name : 'unknown')
  if (isEnergyBenchError(error)) say(`${error.code}: ${error.message}`)
  process.stdin.destroy()
}
