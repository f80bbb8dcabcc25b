import { access, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EnergyBenchError } from '@energy-bench/spec'
import {
  type Journal,
  type JournalLine,
  openJournal,
  readJournal,
  saveJson,
} from '@energy-bench/sweep'
import { type QuickOptions, quickOptionsSchema } from './options.js'

/** The folder of one run: its options, its journal and, in the end, its report. */
export interface RunFolder extends AsyncDisposable {
  readonly path: string
  readonly reportPath: string
  readonly options: QuickOptions
  /** What an earlier, interrupted call has written. */
  readonly finished: readonly JournalLine[]
  readonly journal: Journal
}

/** Makes a folder for a new run, named after the time of its start. */
export async function createRunFolder(
  parent: string,
  options: QuickOptions,
  startedAt: Date,
): Promise<RunFolder> {
  const stamp = startedAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const path = join(parent, `${stamp}-quick`)
  await makeFolder(path)
  await saveJson(join(path, 'run.json'), options)
  return openFolder(path, options, [])
}

/** Opens the folder of an interrupted run, to go on with it. */
export async function resumeRunFolder(path: string): Promise<RunFolder> {
  const options = parseOptions(await readOptions(path), path)
  const journalPath = join(path, 'journal.jsonl')
  const exists = await access(journalPath).then(
    () => true,
    () => false,
  )
  const finished = exists ? (await readJournal(journalPath)).lines : []
  return openFolder(path, options, finished)
}

async function openFolder(
  path: string,
  options: QuickOptions,
  finished: readonly JournalLine[],
): Promise<RunFolder> {
  const journal = await openJournal(join(path, 'journal.jsonl'))
  return {
    path,
    reportPath: join(path, 'report.json'),
    options,
    finished,
    journal,
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    throw new EnergyBenchError(
      'save-failed',
      `The folder ${path} cannot be made: ${text(cause)}.`,
      {
        fix: 'Choose another folder with --out.',
        cause,
      },
    )
  }
}

async function readOptions(path: string): Promise<string> {
  try {
    return await readFile(join(path, 'run.json'), 'utf8')
  } catch (cause) {
    throw new EnergyBenchError('usage-invalid', `${path} is no run folder: ${text(cause)}.`, {
      fix: 'Give --resume the folder that the interrupted run printed.',
      cause,
    })
  }
}

function parseOptions(json: string, path: string): QuickOptions {
  try {
    return quickOptionsSchema.parse(JSON.parse(json))
  } catch (cause) {
    throw new EnergyBenchError('record-invalid', `${path}/run.json cannot be read back.`, {
      fix: 'Start a new run without --resume.',
      cause,
    })
  }
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
