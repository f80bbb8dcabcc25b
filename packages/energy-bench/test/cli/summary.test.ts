import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { summary } from '../../src/cli/summary.js'
import { wrap } from '../../src/cli/wrap.js'
import { parseQuickReport, type QuickReport } from '../../src/quick/report.js'

const recorded = new URL(
  '../../../../benchmarks/results/2026-11-30-h200-bench-quick.json',
  import.meta.url,
)

let report: QuickReport

beforeAll(async () => {
  report = parseQuickReport(JSON.parse(await readFile(recorded, 'utf8')))
})

test('the summary of a real run on a GPU fits 80 columns', () => {
  const lines = wrap(summary(report.cells)).split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

test('it says which one to run, by which method, and where the energy went', () => {
  const text = summary(report.cells)
  expect(text).toContain('Which one should I run?')
  expect(text).toContain('80.0 mJ (62.4-103) per correct answer, accuracy 80.6 % (70-88)')
  expect(text).toContain('Method: counter.')
  expect(text).not.toContain('ESTIMATE')
  expect(text).toMatch(/think off\s+166 J\s+1\.5 %\s+2\.5 %\s+95\.9 %/)
})

test('each warning comes once, with its causes and its fix', () => {
  const text = summary(report.cells)
  expect(text.match(/^! idle-dominated$/gm)).toHaveLength(1)
  expect(text).toContain('and in 6 more configurations, see the report')
  expect(text).toContain('Fix: Quote gross energy, or measure idle power for longer.')
})

test('of one cell there is a figure and no contest', () => {
  const text = summary(report.cells.slice(0, 1))
  expect(text).not.toContain('Which one')
  expect(text).toContain('per correct answer, accuracy 79.2 %')
})
