import { stat } from 'node:fs/promises'
import { EnergyBenchError, isEnergyBenchError } from '@energy-bench/spec'
import { type CellReport, journalLine } from '@energy-bench/sweep'
import type { QuickOptions } from '../quick/options.js'
import type { QuickReport } from '../quick/report.js'
import { createRunFolder, type RunFolder, resumeRunFolder } from '../quick/run-folder.js'
import { type QuickEvent, runQuick } from '../quick/run-quick.js'
import { type DefaultEngineContext, withDefaultEngine } from './default-engine.js'
import { exitCodes, InterruptedError } from './exit-codes.js'
import { watchInterrupts } from './interrupt.js'
import type { Output } from './output.js'
import { createProgressLine, type ProgressLine } from './progress-line.js'
import { createQuickProgress } from './quick-progress.js'
import { saveReport } from './save-report.js'
import { summary } from './summary.js'
import { wrap } from './wrap.js'

/** What the command line adds to the options of the run itself. */
export interface BenchQuickFlags {
  readonly out: string
  readonly resume?: string
  readonly json: boolean
  /** Measures the reference model without looking for engines. */
  readonly reference: boolean
  /** How the user started this, for the line that says how to resume. */
  readonly invocation: string
}

/** Runs `bench quick` and returns the exit code. */
export async function benchQuick(
  options: QuickOptions,
  flags: BenchQuickFlags,
  output: Output,
): Promise<number> {
  using line = createProgressLine({ stream: output.people })
  using interrupts = watchInterrupts(line.say)
  await using folder = await openFolder(options, flags, {
    say: line.say,
    signal: interrupts.signal,
  })
  const cells = await measureInto(folder, { line, signal: interrupts.signal, flags })
  const report: QuickReport = {
    schemaVersion: 1,
    kind: 'quick',
    createdAt: new Date().toISOString(),
    options: folder.options,
    cells: cells.map((cell) => cell.toJSON()),
  }
  return finish(report, { folder, flags, output, line })
}

async function openFolder(
  options: QuickOptions,
  flags: BenchQuickFlags,
  context: DefaultEngineContext,
): Promise<RunFolder> {
  if (flags.resume !== undefined) return resumeRunFolder(flags.resume)
  await Promise.all(options.models.map(checkIsFile))
  const complete = flags.reference ? options : await withDefaultEngine(options, context)
  return createRunFolder(flags.out, complete, new Date())
}

/** A wrong path is a slip of the command line, found before anything is written. */
async function checkIsFile(path: string): Promise<void> {
  const info = await stat(path).catch((cause: unknown) => {
    throw wrongPath(`There is no file ${path}.`, cause)
  })
  if (info.isDirectory()) throw wrongPath(`${path} is a folder.`)
}

function wrongPath(message: string, cause?: unknown): EnergyBenchError {
  const fix = 'Give --model the path of a GGUF file.'
  return new EnergyBenchError('usage-invalid', message, { fix, cause })
}

interface Run {
  readonly line: ProgressLine
  readonly signal: AbortSignal
  readonly flags: BenchQuickFlags
}

async function measureInto(
  folder: RunFolder,
  { line, signal, flags }: Run,
): Promise<readonly CellReport[]> {
  const show = createQuickProgress(line)
  const keep = createKeeper(folder, line)
  const onEvent = async (event: QuickEvent) => {
    show(event)
    await keep.event(event)
  }
  try {
    return await runQuick(folder.options, { signal, finished: folder.finished, onEvent })
  } catch (error) {
    if (canResume(error) && (keep.items() > 0 || folder.finished.length > 0)) {
      line.say(`Finished items are kept in ${folder.path}.`)
      line.say(`Go on with: ${flags.invocation} --resume ${folder.path}`)
    }
    throw error
  }
}

function canResume(error: unknown): boolean {
  return error instanceof InterruptedError || (isEnergyBenchError(error) && error.isRetryable)
}

interface Keeper {
  event(event: QuickEvent): Promise<void>
  /** Items written so far. */
  items(): number
}

/** Writes events to the journal. A disk that fills up is said once and does not end the run. */
function createKeeper(folder: RunFolder, line: ProgressLine): Keeper {
  let works = true
  let items = 0
  return {
    items: () => items,
    async event(event) {
      const entry = event.type === 'measure' ? journalLine(event.event) : null
      if (entry === null || !works) return
      try {
        await folder.journal.append(entry)
        if (entry.type === 'item') items += 1
      } catch (error) {
        works = false
        line.say(`! ${messageOf(error)} The run goes on in memory; it cannot be resumed.`)
      }
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

interface Ending {
  readonly folder: RunFolder
  readonly flags: BenchQuickFlags
  readonly output: Output
  readonly line: ProgressLine
}

async function finish(
  report: QuickReport,
  { folder, flags, output, line }: Ending,
): Promise<number> {
  const { path, problems } = await saveReport(folder.reportPath, report)
  line[Symbol.dispose]()
  for (const problem of problems) line.say(`! ${problem.message}`)
  // The last way to keep a result that no disk takes is to print it.
  if (flags.json || path === null) output.data.write(`${JSON.stringify(report)}\n`)
  const text = `\n${wrap(summary(report.cells))}\n`
  if (flags.json) output.people.write(text)
  else output.data.write(text)
  line.say(
    path === null ? 'The report could not be saved; it is printed above.' : `\nSaved ${path}`,
  )
  if (report.cells.every((cell) => cell.method === null)) return exitCodes.measurementInvalid
  return problems.length === 0 ? exitCodes.ok : exitCodes.environment
}
