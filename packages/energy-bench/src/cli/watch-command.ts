import { type OpenMeterOptions, openMeter, samplePower } from '@energy-bench/meter'
import type { Meter } from '@energy-bench/spec'
import { Command } from 'commander'
import { collect, positiveNumber } from './arguments.js'
import { exitCodes, InterruptedError } from './exit-codes.js'
import { watchInterrupts } from './interrupt.js'
import { type MeterChoice, meterOption, toMeterOptions } from './meter-options.js'
import type { Output } from './output.js'
import type { CommandContext } from './quick-command.js'
import { createScreen } from './screen.js'
import { createWatchView } from './watch-view.js'
import { wrap } from './wrap.js'

interface WatchFlags extends MeterChoice {
  readonly interval: number
  readonly duration?: number
  readonly json?: boolean
}

/** `energy-bench watch`: the power of every domain, live. */
export function watchCommand({ output, setExitCode }: CommandContext): Command {
  return new Command('watch')
    .description('the power of everything that can be metered, live')
    .option('--interval <seconds>', 'length of one sample', positiveNumber, 1)
    .option('--duration <seconds>', 'end after this long (default: at Ctrl-C)', positiveNumber)
    .addOption(meterOption())
    .option('--gpu <id>', 'GPU to meter: UUID, start of one, bus address or index', collect)
    .option('--wall <url>', 'wall plug to meter, such as shelly://192.168.1.5', collect)
    .option('--json', 'one JSON line a sample on stdout')
    .action(async (flags: WatchFlags) => {
      await watch(flags, output)
      setExitCode(exitCodes.ok)
    })
}

async function watch(flags: WatchFlags, output: Output): Promise<void> {
  using interrupts = watchInterrupts(() => {})
  const options: OpenMeterOptions = { ...toMeterOptions(flags), signal: interrupts.signal }
  await using meter = await openMeter(options)
  for (const sentence of meter.selection) output.people.write(`${wrap(`Meter: ${sentence}`)}\n`)
  const view = createWatchView(meter.domains)
  using ending = endAfter(interrupts.signal, flags.duration)
  await follow(meter, { flags, output, view, signal: ending.signal })
  if (flags.json !== true) output.data.write(`${wrap(view.totals().join('\n'))}\n`)
}

interface Following {
  readonly flags: WatchFlags
  readonly output: Output
  readonly view: ReturnType<typeof createWatchView>
  readonly signal: AbortSignal
}

async function follow(meter: Meter, { flags, output, view, signal }: Following): Promise<void> {
  const { interval: intervalS, json } = flags
  using screen = createScreen(output.people)
  try {
    for await (const sample of samplePower(meter, { intervalS, signal })) {
      view.add({ durationS: intervalS, powerW: sample.powerW })
      if (json === true) output.data.write(`${JSON.stringify(sample)}\n`)
      else screen.draw(view.rows(screen.columns))
    }
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
  }
}

/** A timer of our own: a signal made of others can be collected before it fires on Node 20. */
function endAfter(signal: AbortSignal, durationS: number | undefined): Ending {
  const controller = new AbortController()
  const end = () => controller.abort(signal.reason ?? new InterruptedError())
  const timer = durationS === undefined ? undefined : setTimeout(end, durationS * 1000)
  signal.addEventListener('abort', end, { once: true })
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}

interface Ending extends Disposable {
  readonly signal: AbortSignal
}
