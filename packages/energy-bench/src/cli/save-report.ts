import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { saveJson } from '@energy-bench/sweep'
import type { QuickReport } from '../quick/report.js'

/** Where the report went, and what went wrong on the way there. */
export interface SavedReport {
  readonly path: string | null
  readonly problems: readonly Error[]
}

/** Saves beside the journal, else in the folder for temporary files, so that a full disk does not cost the result. */
export async function saveReport(path: string, report: QuickReport): Promise<SavedReport> {
  const fallback = join(tmpdir(), `energy-bench-${basename(dirname(path))}.json`)
  const problems: Error[] = []
  for (const candidate of [path, fallback]) {
    try {
      await saveJson(candidate, report)
      return { path: candidate, problems }
    } catch (error) {
      problems.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return { path: null, problems }
}
