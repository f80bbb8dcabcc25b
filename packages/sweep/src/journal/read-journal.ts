import { readFile } from 'node:fs/promises'
import { EnergyBenchError } from '@energy-bench/spec'
import { type JournalLine, journalLineSchema } from './lines.js'

/** The good lines of a journal, and how many were cut off by a crash. */
export interface JournalContent {
  readonly lines: readonly JournalLine[]
  /** Numbers (from 1) of lines that are no JSON: a crash or a full disk cut them. */
  readonly cutLines: readonly number[]
}

/** Reads a journal; one that is not there yet has no lines. Cut lines are reported, any other damage throws `record-invalid` with the number of the line. */
export async function readJournal(path: string): Promise<JournalContent> {
  const lines: JournalLine[] = []
  const cutLines: number[] = []
  for (const [index, text] of (await readText(path)).split('\n').entries()) {
    if (text === '') continue
    const value = parseJson(text)
    if (value === undefined) cutLines.push(index + 1)
    else lines.push(checkLine(value, `${path}:${index + 1}`))
  }
  return { lines, cutLines }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new EnergyBenchError('record-invalid', `Could not read the journal ${path}.`, {
      fix: 'Check the path and the permissions of the file.',
      cause: error,
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkLine(value: unknown, place: string): JournalLine {
  const parsed = journalLineSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const problem = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown problem'}`
  throw new EnergyBenchError('record-invalid', `${place}: ${problem}`, {
    fix: 'Remove the line, or run without this journal.',
  })
}
