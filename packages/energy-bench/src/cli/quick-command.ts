import { Command, Option } from 'commander'
import { type QuickOptions, quickDefaults } from '../quick/options.js'
import { collect, integer, positiveInteger, positiveNumber } from './arguments.js'
import { type BenchQuickFlags, benchQuick } from './bench-quick.js'
import { meterOption } from './meter-options.js'
import type { Output } from './output.js'

interface QuickFlags {
  readonly model?: readonly string[]
  readonly url?: readonly string[]
  readonly reference?: boolean
  readonly thinking: 'off' | 'on' | 'both'
  readonly items: number
  readonly repetitions: number
  readonly seed: number
  readonly meter: QuickOptions['meter']
  readonly gpu?: readonly string[]
  readonly wall?: readonly string[]
  readonly wattsPerCore?: number
  readonly idle?: number
  readonly out: string
  readonly resume?: string
  readonly json?: boolean
}

/** Where the command reads how it was started, and what it tells of its end. */
export interface CommandContext {
  readonly output: Output
  readonly invocation: string
  setExitCode(code: number): void
}

/** `energy-bench bench quick`. */
export function quickCommand({ output, invocation, setExitCode }: CommandContext): Command {
  return new Command('quick')
    .description('joules per correct answer of a few configurations, in about a minute')
    .option(
      '--model <file>',
      'GGUF file to measure, may be repeated (default: the engine that runs here, else --reference)',
      collect,
    )
    .option(
      '--url <url>',
      'OpenAI-compatible server to measure, #name at its end chooses a model; may be repeated',
      collect,
    )
    .addOption(
      new Option(
        '--reference',
        'measure the embedded reference model in its 4 quantizations',
      ).conflicts(['model', 'url']),
    )
    .addOption(
      new Option('--thinking <mode>', 'thinking of the model')
        .choices(['off', 'on', 'both'])
        .default('both'),
    )
    .option('--items <count>', 'items of the core suite', positiveInteger, quickDefaults.items)
    .option(
      '--repetitions <count>',
      'passes over the items',
      positiveInteger,
      quickDefaults.repetitions,
    )
    .option('--seed <number>', 'seed of the draw of items', integer, quickDefaults.seed)
    .addOption(meterOption())
    .option('--gpu <id>', 'GPU to meter: UUID, start of one, bus address or index', collect)
    .option('--wall <url>', 'wall plug to meter too, such as shelly://192.168.1.5', collect)
    .option(
      '--watts-per-core <watts>',
      'nominal power of a busy core, for the CPU estimate',
      positiveNumber,
    )
    .option('--idle <seconds>', 'length of each idle window', positiveNumber)
    .option('--out <folder>', 'where the folder of the run is made', 'energy-bench-runs')
    .option('--resume <folder>', 'go on with an interrupted run; its own options hold')
    .option('--json', 'print the report as JSON on stdout')
    .action(async (flags: QuickFlags) => {
      setExitCode(await benchQuick(toOptions(flags), toOutputFlags(flags, invocation), output))
    })
}

function toOptions(flags: QuickFlags): QuickOptions {
  return {
    models: flags.model ?? [],
    urls: flags.url ?? [],
    thinking: flags.thinking === 'both' ? ['off', 'on'] : [flags.thinking],
    items: flags.items,
    repetitions: flags.repetitions,
    seed: flags.seed,
    meter: flags.meter,
    devices: flags.gpu ?? [],
    wall: flags.wall ?? [],
    ...(flags.wattsPerCore === undefined ? {} : { wattsPerCore: flags.wattsPerCore }),
    ...(flags.idle === undefined ? {} : { idleS: flags.idle }),
  }
}

function toOutputFlags(flags: QuickFlags, invocation: string): BenchQuickFlags {
  return {
    out: flags.out,
    json: flags.json === true,
    reference: flags.reference === true,
    invocation,
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
  }
}
