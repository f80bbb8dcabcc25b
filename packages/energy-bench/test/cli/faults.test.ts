import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFakeServer } from '../support/fake-server.js'
import { runCli, temporaryFolder } from '../support/run-cli.js'

test('an unknown flag is named, the near one is offered, and the exit code is 2', async () => {
  const { code, stdout, stderr } = await runCli(
    ['bench', 'quick', '--modle', 'x'],
    await temporaryFolder(),
  )
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain("unknown option '--modle'")
  expect(stderr).toContain('--model')
})

test.each([
  [['bench', 'quick', '--items', '0'], '--items'],
  [['bench', 'quick', '--items', 'many'], '--items'],
  [['bench', 'quick', '--thinking', 'loud'], '--thinking'],
  [['bench', 'slow'], 'slow'],
  [['bench', 'quick', '--reference', '--url', 'http://127.0.0.1:1'], '--reference'],
])('%j is a usage error that names what is wrong', async (words, named) => {
  const { code, stderr } = await runCli(words, await temporaryFolder())
  expect(code).toBe(2)
  expect(stderr).toContain(named)
})

test('a model file that is not there is a usage error, and nothing is written', async () => {
  const folder = await temporaryFolder()
  const { code, stderr } = await runCli(['bench', 'quick', '--model', 'missing.gguf'], folder)
  expect(code).toBe(2)
  expect(stderr).toBe(
    'error: There is no file missing.gguf.\n  Give --model the path of a GGUF file.\n',
  )
  expect(await readdir(folder)).toEqual([])
})

test('a model path that is a folder is said to be one', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'models'))
  const { code, stderr } = await runCli(['bench', 'quick', '--model', 'models'], folder)
  expect(code).toBe(2)
  expect(stderr).toContain('models is a folder')
})

test('a damaged GGUF file ends with one clear error and exit code 3', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'bad.gguf'), 'GGUF and then nothing of use')
  const { code, stderr } = await runCli(['bench', 'quick', '--model', 'bad.gguf'], folder)
  expect(code).toBe(3)
  expect(stderr).toMatch(/error: .*bad\.gguf/)
  expect(stderr).not.toContain('    at ')
})

test('a server that nobody runs ends with exit code 5 and says how to start one', async () => {
  const { code, stderr } = await runCli(
    ['bench', 'quick', '--url', 'http://127.0.0.1:1'],
    await temporaryFolder(),
  )
  expect(code).toBe(5)
  expect(stderr).toMatch(/error: .*http:\/\/127\.0\.0\.1:1/)
})

test('a folder that cannot be made ends with exit code 3', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'taken'), '')
  const { code, stderr } = await runCli(['bench', 'quick', '--reference', '--out', 'taken'], folder)
  expect(code).toBe(3)
  expect(stderr).toContain('taken')
})

test('an engine that dies keeps the finished items, and the printed command goes on from there', async () => {
  const folder = await temporaryFolder()
  const first = await startFakeServer({ failAfter: 6 })
  const words = [
    'bench',
    'quick',
    '--url',
    first.url,
    '--items',
    '18',
    '--repetitions',
    '1',
    '--idle',
    '0.1',
  ]
  const broken = await runCli(words, folder)
  expect(broken.code).toBe(5)
  const resume =
    /Go on with: energy-bench bench quick --resume (\S+)/.exec(broken.stderr)?.[1] ?? ''
  const journal = await readFile(join(folder, resume, 'journal.jsonl'), 'utf8')
  const kept = journal
    .split('\n')
    .filter((line) => line.includes('"type":"item"') && !line.includes('"error"'))
  expect(kept).toHaveLength(4)
})
