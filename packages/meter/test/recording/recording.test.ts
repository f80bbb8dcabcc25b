import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportTimeline, openMeter } from '@energy-bench/meter'
import { createFakeClock, createFakeMeter } from '@energy-bench/meter/fake'
import { isUnavailable, type Meter } from '@energy-bench/spec'
import { afterAll, expect, test } from 'vitest'
import { fromCsvLine, toCsvLine } from '../../src/recording/csv.js'
import { parseRecording } from '../../src/recording/read-recording.js'
import { createReplaySource } from '../../src/recording/replay-source.js'

const folder = mkdtempSync(join(tmpdir(), 'recording-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** 1 s idle at 100 W, 2 s of work at 300 W, 1 s idle, from second 1000 on. */
async function recorded(): Promise<Meter> {
  const clock = createFakeClock()
  const meter = createFakeMeter({ powerW: 300, idleW: 100, clock })
  await meter.work(() => undefined)
  clock.advance(1)
  await meter.work(() => clock.advance(2))
  clock.advance(1)
  return meter
}

async function textOf(format: 'csv' | 'jsonl'): Promise<string> {
  let text = ''
  for await (const line of exportTimeline(await recorded(), { format })) text += line
  return text
}

test('the CSV form has one row a point', async () => {
  expect((await textOf('csv')).split('\n')).toEqual([
    'domain,kind,method,device,time_s,half_width_s,energy_j,power_w',
    'fake:counter,gpu,counter,fake,1000,0,0,',
    'fake:counter,gpu,counter,fake,1001,0,100,',
    'fake:counter,gpu,counter,fake,1003,0,700,',
    'fake:counter,gpu,counter,fake,1004,0,800,',
    '',
  ])
})

test('the JSON form tells the domains first', async () => {
  const lines = (await textOf('jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ type: 'domain', id: 'fake:counter', label: 'Fake' })
  expect(lines[2]).toEqual({
    type: 'point',
    domain: 'fake:counter',
    timeS: 1001,
    halfWidthS: 0,
    energyJ: 100,
  })
})

test.each(['csv', 'jsonl'] as const)(
  'a replayed %s gives the energy of the run',
  async (format) => {
    const path = join(folder, `run.${format}`)
    writeFileSync(path, await textOf(format))
    await using meter = await openMeter({ meter: 'replay', replay: { path } })
    const reading = await meter.energyBetween(1001, 1003)
    expect(reading.domains['fake:counter']).toMatchObject({ status: 'measured', method: 'counter' })
    const energy = reading.domains['fake:counter']
    expect(energy?.status === 'measured' && energy.energyJ).toBeCloseTo(600, 6)
    expect(meter.selection[0]).toContain('4 points from 1000 s to 1004 s')
    const late = (await meter.energyBetween(1003, 1010)).domains['fake:counter']
    expect(late).toMatchObject({ reason: 'no-data', detail: 'the recording ends at 1004 s' })
  },
)

test('in real time the points come when they are due, moved to now', async () => {
  const recording = parseRecording(await textOf('jsonl'), 'jsonl')
  if (isUnavailable(recording)) throw new Error(recording.detail)
  const clock = createFakeClock(50)
  await using source = createReplaySource(recording, 'real', clock.now)
  const timesOf = async () => (await source.sampleMany?.())?.map((sample) => sample.endS)
  expect(await timesOf()).toEqual([50])
  clock.advance(2)
  expect(await timesOf()).toEqual([51])
  expect(source.whyOver?.()).toBeUndefined()
  clock.advance(2)
  expect(await timesOf()).toEqual([53, 54])
  expect(source.whyOver?.()).toMatchObject({ detail: 'the recording ends at 54 s' })
})

test.each([
  ['csv', 'a,b\n1,2\n', 'line 2'],
  ['jsonl', '{"type":"domain"}\n', 'line 1'],
  ['jsonl', 'nonsense\n', 'line 1'],
] as const)('a %s that is no recording is refused, with the line', (format, text, line) => {
  const recording = parseRecording(text, format)
  expect(recording).toMatchObject({ reason: 'failed', detail: expect.stringContaining(line) })
})

test('a file that is not there is said so', async () => {
  const opening = openMeter({ meter: 'replay', replay: { path: '/nowhere/run.csv' } })
  await expect(opening).rejects.toMatchObject({
    code: 'meter-unavailable',
    fix: 'Name another file.',
  })
})

test('fields with commas and quotes survive CSV', () => {
  const fields = ['a,b', 'say "x"', '', 'plain', '']
  expect(fromCsvLine(toCsvLine(fields))).toEqual(fields)
})
