import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUnavailable } from '@energy-bench/spec'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type CellReport,
  type JournalLine,
  journalLine,
  type MeasureEvent,
  openJournal,
  readJournal,
} from '../src/index.js'
import { createBench } from './support/bench.js'
import { engineDied } from './support/fake-model.js'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'))
  path = join(folder, 'run.jsonl')
})
afterEach(() => rm(folder, { recursive: true }))

const linesOf = (events: readonly MeasureEvent[]): JournalLine[] =>
  events.flatMap((event) => journalLine(event) ?? [])

/**
 * What must not depend on where a run was interrupted. Left out: uncertainties of net energy, since a session that was
 * cut has one idle window and not two, and the summary of the devices, which is of the last session alone.
 */
function comparable({ idle, honesty, devices: _, items, readings, ...report }: CellReport) {
  const { save: _save, toJSON: _toJson, ...figures } = report
  const { counter } = readings
  return {
    ...figures,
    grossJ: isUnavailable(counter) ? counter : counter.grossJ,
    idlePowerW: idle.powerW,
    honesty: honesty.filter((flag) => flag.name !== 'resumed'),
    items: items.map(({ startS: _start, session: _session, ...item }) => item),
  }
}

test('a journal gives back the lines it was given', async () => {
  const bench = createBench()
  await bench.run({ repetitions: 1 })
  {
    await using journal = await openJournal(path)
    await Promise.all(linesOf(bench.events).map((line) => journal.append(line)))
  }
  const { lines, cutLines } = await readJournal(path)
  expect(lines).toEqual(linesOf(bench.events))
  expect(lines.map((line) => line.type)).toEqual([
    'cell',
    'idle',
    'item',
    'item',
    'item',
    'item',
    'idle',
  ])
  expect(cutLines).toEqual([])
})

test('a run that was resumed gives the report of one that was not', async () => {
  const answer = (prompt: string) => ({ text: prompt === '2' ? 'x' : prompt })
  const whole = await createBench({ answer }).run()
  const broken = createBench({
    answer(prompt, call) {
      if (call > 7) throw engineDied()
      return answer(prompt)
    },
  })
  await expect(broken.run()).rejects.toMatchObject({ code: 'backend-failed' })
  const second = createBench({ answer, session: 's2' })
  const resumed = await second.run({ finished: linesOf(broken.events) })
  expect(comparable(resumed)).toEqual(comparable(whole))
  expect(second.events.filter((event) => event.type === 'item-end').length).toBe(7)
  expect(resumed.honesty.map((flag) => flag.name)).toContain('resumed')
})

test('a finished run is not run again', async () => {
  const first = createBench()
  const whole = await first.run()
  const second = createBench({
    session: 's2',
    answer() {
      throw new Error('not wanted')
    },
  })
  const again = await second.run({ finished: linesOf(first.events) })
  expect(comparable(again)).toEqual(comparable(whole))
  expect(again.honesty.map((flag) => flag.name)).not.toContain('resumed')
})

test('lines of another cell are not used', async () => {
  const first = createBench()
  await first.run({ temperature: 0.7 })
  const second = createBench({ session: 's2' })
  await second.run({ finished: linesOf(first.events) })
  expect(second.events.filter((event) => event.type === 'item-end').length).toBe(12)
})

test('a cut last line is reported, and the next line starts anew', async () => {
  const bench = createBench()
  await bench.run({ repetitions: 1 })
  const [first, second] = linesOf(bench.events)
  if (first === undefined || second === undefined) throw new Error('no lines')
  await writeFile(path, `${JSON.stringify(first)}\n`)
  await appendFile(path, JSON.stringify(second).slice(0, 20))
  expect(await readJournal(path)).toEqual({ lines: [first], cutLines: [2] })
  {
    await using journal = await openJournal(path)
    await journal.append(second)
  }
  expect(await readJournal(path)).toEqual({ lines: [first, second], cutLines: [2] })
})

test('a line that is JSON and no record is refused by its number', async () => {
  await writeFile(path, '{"type":"idle"}\n')
  await expect(readJournal(path)).rejects.toMatchObject({
    code: 'record-invalid',
    message: expect.stringContaining('run.jsonl:1'),
  })
})

test('a journal that is not there yet has no lines', async () => {
  expect(await readJournal(path)).toEqual({ lines: [], cutLines: [] })
})

test('a full disk is told with a fix', async () => {
  const bench = createBench()
  await bench.run({ repetitions: 1 })
  const [line] = linesOf(bench.events)
  if (line === undefined) throw new Error('no line')
  await using journal = await openJournal('/dev/full')
  await expect(journal.append(line)).rejects.toMatchObject({
    code: 'save-failed',
    message: expect.stringContaining('/dev/full'),
    fix: 'Free some space on this disk and run again.',
  })
})
