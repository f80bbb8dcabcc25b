import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findReferenceModel } from '@energy-bench/reference-model'
import { expect, test } from 'vitest'
import { runCli, startCli, temporaryFolder } from '../support/run-cli.js'

const { path } = findReferenceModel('Q4_0')
const words = ['bench', 'quick', '--model', path, '--items', '36', '--idle', '0.1']

test('Ctrl-C keeps the finished items, prints the resume command, and the resumed run is whole', async () => {
  const folder = await temporaryFolder()
  const first = startCli([...words, '--thinking', 'off'], folder)
  await first.shown('20 %')
  first.child.kill('SIGINT')
  const { code, stdout, stderr } = await first.result
  expect(code).toBe(130)
  expect(stdout).toBe('')
  const run = /--resume (\S+)/.exec(stderr)?.[1] ?? ''
  expect(await readdir(join(folder, run))).toEqual(['journal.jsonl', 'run.json'])

  const resumed = await runCli(['bench', 'quick', '--resume', run, '--json'], folder)
  expect(resumed.code).toBe(0)
  const report = JSON.parse(resumed.stdout)
  expect(report.cells[0].items).toHaveLength(108)
  const sessions = new Set(report.cells[0].items.map((item: { session: string }) => item.session))
  expect(sessions.size).toBe(2)
  expect(report.cells[0].honesty.map((flag: { name: string }) => flag.name)).toContain('resumed')
  const saved = await readFile(join(folder, run, 'report.json'), 'utf8')
  expect(JSON.parse(saved)).toEqual(report)
})

test('a second Ctrl-C ends at once and leaves no half-written file', async () => {
  const folder = await temporaryFolder()
  const run = startCli([...words, '--thinking', 'on'], folder)
  await run.shown('10 %')
  run.child.kill('SIGINT')
  await run.shown('Stopping')
  run.child.kill('SIGINT')
  const { code } = await run.result
  expect(code).toBe(130)
  const [name = ''] = await readdir(join(folder, 'energy-bench-runs'))
  const files = await readdir(join(folder, 'energy-bench-runs', name))
  expect(files).toEqual(['journal.jsonl', 'run.json'])
  const journal = await readFile(join(folder, 'energy-bench-runs', name, 'journal.jsonl'), 'utf8')
  for (const line of journal.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})
