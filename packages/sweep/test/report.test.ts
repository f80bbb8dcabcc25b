import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseCellReport } from '../src/index.js'
import { createBench } from './support/bench.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a saved report reads back as it was', async () => {
  const report = await createBench().run({ repetitions: 1 })
  await report.save(join(folder, 'cell.json'))
  const json = JSON.parse(await readFile(join(folder, 'cell.json'), 'utf8'))
  expect(parseCellReport(json).toJSON()).toEqual(report.toJSON())
  expect(await readdir(folder)).toEqual(['cell.json'])
})

test('a failing save names the path and leaves nothing behind', async () => {
  const report = await createBench().run({ repetitions: 1 })
  await mkdir(join(folder, 'taken', 'inside'), { recursive: true })
  await expect(report.save(join(folder, 'taken'))).rejects.toMatchObject({
    code: 'save-failed',
    message: expect.stringContaining(join(folder, 'taken')),
  })
  await expect(report.save(join(folder, 'missing', 'cell.json'))).rejects.toMatchObject({
    code: 'save-failed',
    fix: 'Make the folder first.',
  })
  expect(await readdir(folder)).toEqual(['taken'])
})

const answers = fc.array(
  fc.record({
    text: fc.constantFrom('1', '2', '3', '', '<think>x'),
    durationS: fc.double({ min: 0.001, max: 10, noNaN: true }),
    finishReason: fc.constantFrom('stop', 'length', 'refused', 'other'),
    tokens: fc.record({
      outputTokens: fc.option(fc.nat(100)),
      cachedInputTokens: fc.option(fc.nat(10)),
      thinkingTokens: fc.option(fc.nat(10)),
    }),
  }),
  { minLength: 1 },
)

test('every report survives JSON', async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 50, max: 400 }), async (list, powerW) => {
      const bench = createBench({
        meter: { powerW },
        answer: (_, call) => list[call % list.length] ?? { text: '' },
      })
      const report = await bench.run()
      const json: unknown = JSON.parse(JSON.stringify(report))
      expect(parseCellReport(json).toJSON()).toEqual(report.toJSON())
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['accuracy.ratio', (json: Json) => ({ ...json, accuracy: { ...json.accuracy, ratio: 2 } })],
  [
    'items.1.outcome',
    (json: Json) => ({ ...json, items: [json.items[0], { ...json.items[1], outcome: 'good' }] }),
  ],
  ['schemaVersion', (json: Json) => ({ ...json, schemaVersion: 2 })],
  ['(root)', () => 'a cell'],
])('damage is refused by its place: %s', async (place, damage) => {
  const report = await createBench().run({ repetitions: 1 })
  const json: Json = JSON.parse(JSON.stringify(report))
  expect(() => parseCellReport(damage(json))).toThrow(
    expect.objectContaining({
      code: 'record-invalid',
      message: expect.stringContaining(`: ${place}: `),
    }),
  )
})

interface Json {
  readonly accuracy: object
  readonly items: readonly object[]
}

test('nothing names the machine or its user', async () => {
  const report = await createBench().run({ repetitions: 1 })
  expect(Object.keys(report.host).toSorted()).toEqual([
    'arch',
    'cores',
    'cpuModel',
    'loadAverage',
    'memoryBytes',
    'nodeVersion',
    'os',
  ])
})
