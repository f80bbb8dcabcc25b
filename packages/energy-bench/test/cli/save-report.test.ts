import { mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveReport } from '../../src/cli/save-report.js'
import { quickDefaults } from '../../src/quick/options.js'
import type { QuickReport } from '../../src/quick/report.js'
import { temporaryFolder } from '../support/run-cli.js'

const report: QuickReport = {
  schemaVersion: 1,
  kind: 'quick',
  createdAt: '2026-01-01T00:00:00.000Z',
  options: quickDefaults,
  cells: [],
}

test('a report that its folder does not take is saved with the temporary files, and the problem is told', async () => {
  const folder = await temporaryFolder()
  const run = `run-${process.pid}`
  const fallback = join(tmpdir(), `energy-bench-${run}.json`)
  const saved = await saveReport(join(folder, run, 'report.json'), report)
  expect(saved.path).toBe(fallback)
  expect(saved.problems).toHaveLength(1)
  expect(JSON.parse(await readFile(fallback, 'utf8'))).toEqual(report)
  await rm(fallback)
})

test('a report that fits lies where it was asked for', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'run'))
  const path = join(folder, 'run', 'report.json')
  expect(await saveReport(path, report)).toEqual({ path, problems: [] })
})
