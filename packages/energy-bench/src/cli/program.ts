import { Command, CommanderError } from 'commander'
import { version } from '../version.js'
import { describeError } from './describe-error.js'
import { doctorCommand } from './doctor-command.js'
import { exitCodeOf, exitCodes } from './exit-codes.js'
import type { Output } from './output.js'
import { quickCommand } from './quick-command.js'
import { watchCommand } from './watch-command.js'
import { wrap } from './wrap.js'

const exitCodeHelp = `
Exit codes:
  0 ok   2 usage (a flag, or a file that is not there)   3 environment
  4 measurement invalid   5 network or engine   6 refused
  130 interrupted: finished items are kept, and the resume command is printed

stdout is data, stderr is for people. Run \`energy-bench bench quick\` first.`

/** How the program was started: its words after the program name, and how a user would start it again. */
export interface Invocation {
  readonly words: readonly string[]
  readonly invocation: string
}

/** Runs the command line and returns its exit code. Never throws. */
export async function runProgram(
  { words, invocation }: Invocation,
  output: Output,
): Promise<number> {
  let exitCode: number = exitCodes.ok
  const setExitCode = (code: number) => {
    exitCode = code
  }
  const program = createProgram({ output, invocation, setExitCode })
  try {
    await program.parseAsync([...words], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const { isTTY, columns } = output.people
    const text = describeError(error)
    output.people.write(isTTY === true ? wrap(text, columns) : text)
    return exitCodeOf(error)
  }
}

function createProgram(context: Parameters<typeof quickCommand>[0]): Command {
  const { output } = context
  const bench = new Command('bench').description('measure what answers cost')
  const program = new Command('energy-bench')
    .description('What does a correct answer cost in energy on this machine?')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', exitCodeHelp)
    .addCommand(bench.addCommand(quickCommand(context)))
    .addCommand(doctorCommand(context))
    .addCommand(watchCommand(context))
  for (const command of withDescendants(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => output.data.write(text),
      writeErr: (text) => output.people.write(text),
    })
    command.showHelpAfterError('(--help shows what is possible)')
  }
  return program
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)]
}
