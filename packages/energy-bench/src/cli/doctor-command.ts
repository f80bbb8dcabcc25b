import { type NullTest, nullTest, type OpenMeterOptions, openMeter } from '@energy-bench/meter'
import { isUnavailable } from '@energy-bench/spec'
import { Command } from 'commander'
import { type DoctorReport, doctor } from '../doctor/doctor.js'
import { collect, collectPort } from './arguments.js'
import { type EngineFlags, findEngines } from './doctor-engines.js'
import { engineLines } from './engine-lines.js'
import { exitCodes } from './exit-codes.js'
import { joules } from './format.js'
import { toMeterOptions } from './meter-options.js'
import type { CommandContext } from './quick-command.js'
import { wrap } from './wrap.js'

interface DoctorFlags extends EngineFlags {
  readonly json?: boolean
  readonly nullTest?: boolean
  readonly gpu?: readonly string[]
  readonly wall?: readonly string[]
}

/** `energy-bench doctor`. Exit code 3 when the embedded engine does not run here, 4 when the null test fails. */
export function doctorCommand({ output, setExitCode }: CommandContext): Command {
  return new Command('doctor')
    .description('what can be measured on this machine, what cannot, and what to do about it')
    .option('--wall <url>', 'wall plug to look at too, such as shelly://192.168.1.5', collect)
    .option('--gpu <id>', 'GPU to look at: UUID, start of one, bus address or index', collect)
    .option('--null-test', 'measure 5 s of nothing: its net energy must be 0 within its interval')
    .option('--engine-port <port>', 'look for engines here, may be repeated', collectPort)
    .option('--verbose', 'list also the ports that something else answers')
    .option('--json', 'print the result as JSON on stdout')
    .action(async (flags: DoctorFlags) => {
      const options = toMeterOptions({ meter: 'auto', ...flags })
      const engines = await findEngines(flags)
      const report = await doctor(options)
      const result = flags.nullTest === true ? await runNullTest(options) : undefined
      const all = { ...report, engines, ...(result === undefined ? {} : { nullTest: result }) }
      const text = wrap(describe(report, engineLines(engines)) + describeNullTest(result))
      output.data.write(flags.json === true ? `${JSON.stringify(all)}\n` : text)
      setExitCode(exitCodeFor(report, result))
    })
}

async function runNullTest(options: OpenMeterOptions): Promise<NullTest> {
  await using meter = await openMeter(options)
  return await nullTest(meter)
}

function exitCodeFor({ ready }: DoctorReport, result: NullTest | undefined): number {
  if (!ready) return exitCodes.environment
  return result?.passed === false ? exitCodes.measurementInvalid : exitCodes.ok
}

function describeNullTest(result: NullTest | undefined): string {
  if (result === undefined) return ''
  const { passed, net } = result
  if (isUnavailable(net)) return `Null test: not possible, ${net.detail}\n`
  const figure = `net ${joules(net.energyJ)} with a standard uncertainty of ${joules(net.uncertaintyJ)}`
  const verdict = passed ? 'passed' : 'FAILED, idle power is not steady here'
  return `Null test: ${figure}: ${verdict}.\n`
}

function describe({ checks, ready, verdict }: DoctorReport, engines: string): string {
  const lines = checks.map(({ name, status, detail, fix }) => {
    const mark = { ok: 'ok  ', warning: 'warn', missing: 'no  ' }[status]
    const told = detail.replaceAll('\n', '\n      ')
    return `${mark}  ${name}: ${told}${fix === undefined ? '' : `\n      ${fix}`}`
  })
  return `${lines.join('\n')}\n\n${engines}\n${ready ? 'Ready' : 'Not ready'}: ${verdict}\n`
}
