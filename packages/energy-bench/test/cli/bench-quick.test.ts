import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findReferenceModel } from '@energy-bench/reference-model'
import { expect, test } from 'vitest'
import { parseQuickReport } from '../../src/quick/report.js'
import { runCli, temporaryFolder } from '../support/run-cli.js'

const models = (['Q8_0', 'Q2_K'] as const).flatMap((name) => [
  '--model',
  findReferenceModel(name).path,
])
const words = ['bench', 'quick', ...models, '--items', '18', '--repetitions', '1', '--idle', '0.1']

test('a real run prints a table of at most 80 columns, says that it is an estimate, and saves its report', async () => {
  const folder = await temporaryFolder()
  const { code, stdout, stderr } = await runCli(words, folder)
  expect(code).toBe(0)
  for (const line of stdout.split('\n').slice(0, 6)) expect(line.length).toBeLessThanOrEqual(80)
  expect(stdout).toContain('Which one should I run?')
  expect(stdout).toContain('ESTIMATE')
  const path = /Saved (\S+)/.exec(stderr)?.[1] ?? ''
  const report = parseQuickReport(JSON.parse(await readFile(join(folder, path), 'utf8')))
  expect(report.cells.map((cell) => cell.method)).toEqual(['model', 'model', 'model', 'model'])
  expect(report.cells.map((cell) => cell.settings.thinking)).toEqual(['off', 'on', 'off', 'on'])
  expect(new Set(report.cells.map((cell) => cell.task.digest)).size).toBe(1)
})

test('with --json stdout is the report and nothing else', async () => {
  const { stdout } = await runCli(
    [...words, '--thinking', 'off', '--json'],
    await temporaryFolder(),
  )
  expect(parseQuickReport(JSON.parse(stdout)).cells).toHaveLength(2)
})
