import { Command } from 'commander'
import { type DoctorReport, doctor } from '../doctor/doctor.js'
import { exitCodes } from './exit-codes.js'
import type { CommandContext } from './quick-command.js'
import { wrap } from './wrap.js'

/** `energy-bench doctor`. Exit code 3 when nothing could be measured here. */
export function doctorCommand({ output, setExitCode }: CommandContext): Command {
  return new Command('doctor')
    .description('what can be measured on this machine, what cannot, and what to do about it')
    .option('--json', 'print the result as JSON on stdout')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const report = await doctor()
      output.data.write(json === true ? `${JSON.stringify(report)}\n` : wrap(describe(report)))
      setExitCode(report.ready ? exitCodes.ok : exitCodes.environment)
    })
}

function describe({ checks, ready, verdict }: DoctorReport): string {
  const lines = checks.map(({ name, status, detail, fix }) => {
    const mark = { ok: 'ok  ', warning: 'warn', missing: 'no  ' }[status]
    return `${mark}  ${name}: ${detail}${fix === undefined ? '' : `\n      ${fix}`}`
  })
  return `${lines.join('\n')}\n\n${ready ? 'Ready' : 'Not ready'}: ${verdict}\n`
}
