// Runs the code of docs/guide/meter.md, which scripts/snippets.ts copies from the regions here.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assessReading,
  combineIdle,
  createClockWatch,
  detectMeters,
  exportTimeline,
  measureEnergy,
  measureIdle,
  netEnergy,
  openMeter,
  parseWallUrl,
  primaryMethod,
  probeWall,
  readBattery,
  samplePower,
  totalByMethod,
} from '@energy-bench/meter'
import { createFakeClock, createFakeMeter } from '@energy-bench/meter/fake'
import { afterAll, expect, test } from 'vitest'
import { EVERY_KIND } from './wall/every-kind.js'
import { only, startPlug } from './wall/server.js'

const folder = mkdtempSync(join(tmpdir(), 'meter-guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

const guide = readFileSync(new URL('../../../docs/guide/meter.md', import.meta.url), 'utf8')
const said: unknown[] = []
const print = (...values: unknown[]) => said.push(values)
const work = () => delay(50)
const answer = (question: string) => delay(20, question)

test('a piece of work is measured in one call', async () => {
  // #region measure
  const { value, totals, method, durationS } = await measureEnergy(() => answer('What is 6 x 7?'))
  print(value, method, totals, durationS)
  // #endregion measure
  expect(durationS).toBeGreaterThan(0.01)
})

test('an open meter tells what it reads, and the energy of a window', async () => {
  // #region open
  await using meter = await openMeter()
  for (const sentence of meter.selection) print(sentence)
  for (const { id, method, scope, note } of meter.domains) print(id, method, scope, note)
  // #endregion open
  // #region window
  const startS = meter.now()
  await work()
  const reading = await meter.energyBetween(startS, meter.now())
  for (const [id, energy] of Object.entries(reading.domains)) {
    if (energy.status === 'measured') print(id, energy.energyJ, energy.uncertaintyJ, energy.detail)
    else print(id, energy.reason, energy.detail, energy.fix)
  }
  // #endregion window
  // #region totals
  const totals = totalByMethod(reading, meter.domains)
  const method = primaryMethod(totals) // 'counter', 'integrated-power', 'wall', 'model', or why there is none
  print(method, totals)
  // #endregion totals
  expect(Object.keys(reading.domains)).toEqual(meter.domains.map(({ id }) => id))
})

test('windows may overlap, and be asked for later', async () => {
  await using meter = createFakeMeter()
  const questions = ['What is 6 x 7?', 'What is 7 x 8?']
  // #region overlapping
  const beganS = meter.now()
  const windows: { startS: number; endS: number }[] = []
  for (const question of questions) {
    const startS = meter.now()
    await answer(question)
    windows.push({ startS, endS: meter.now() })
  }
  const whole = await meter.energyBetween(beganS, meter.now())
  const items = await Promise.all(windows.map((one) => meter.energyBetween(one.startS, one.endS)))
  print(whole, items)
  // #endregion overlapping
  expect(items).toHaveLength(2)
})

test('net energy is gross energy without the idle power from before and after', async () => {
  const clock = createFakeClock()
  const tick = async (durationS: number) => clock.advance(durationS)
  const work = () => tick(2)
  await using meter = createFakeMeter({ powerW: 300, idleW: 100, clock })
  const idleOptions = { durationS: 10, settleS: 'auto', delay: tick } as const
  // #region net
  const clocks = createClockWatch()
  const before = await measureIdle(meter, idleOptions)
  clocks.sample()
  const startS = meter.now()
  await work()
  const gross = await meter.energyBetween(startS, meter.now())
  clocks.sample()
  const idle = combineIdle(before, await measureIdle(meter, idleOptions))
  const net = netEnergy(gross, idle.baseline)
  // #endregion net
  // #region flags
  const battery = await readBattery()
  const flags = assessReading({
    reading: gross,
    domains: meter.domains,
    devices: meter.devices,
    states: meter.statesBetween(gross.startS, gross.endS),
    clocks: clocks.between(gross.startS, gross.endS),
    idle,
    ...(battery === undefined ? {} : { battery }),
  })
  for (const { name, severity, cause, fix } of flags) print(severity, name, cause, fix)
  // #endregion flags
  expect(Object.values(net.domains)[0]).toMatchObject({ energyJ: expect.closeTo(0, 9) })
  expect(flags.map(({ name }) => name)).toContain('short-window')
})

test('what can be measured is found without opening a meter', async () => {
  // #region detect
  for (const found of await detectMeters({ devices: ['GPU-5b1c', '0000:65:00.0'] })) {
    print(found.id, found.status, found.detail)
  }
  // #endregion detect
  expect(said.flat()).toContain('nvml')
})

test('a plug is tried, and then metered beside the rest', async () => {
  await using server = await startPlug(only('/power', { watts: 100 }))
  const plug = `http-json+http://${server.host}/power#power=/watts`
  // #region wall
  print(await probeWall(parseWallUrl(plug))) // { status: 'ready', ... }, or why not
  await using meter = await openMeter({ wall: [plug] })
  // #endregion wall
  expect(meter.domains.map(({ method }) => method)).toContain('wall')
})

test('what was recorded can be measured again', async () => {
  const path = join(folder, 'run.jsonl')
  {
    // #region record
    await using meter = await openMeter({ meter: 'cpu' })
    const startS = meter.now()
    await work()
    await meter.energyBetween(startS, meter.now()) // by then all of it is known
    await writeFile(path, exportTimeline(meter)) // or { format: 'csv' }, into a name that ends in .csv
    // #endregion record
  }
  const points = [...readFileSync(path, 'utf8').matchAll(/"timeS":([\d.]+)/g)]
  const startS = Number(points[0]?.[1])
  const endS = Number(points.at(-1)?.[1])
  // #region replay
  await using replay = await openMeter({ meter: 'replay', replay: { path } })
  const again = await replay.energyBetween(startS, endS)
  // #endregion replay
  expect(again.domains['cpu-estimate']).toMatchObject({ status: 'measured', method: 'model' })
})

test('power is streamed', async () => {
  await using meter = createFakeMeter()
  const untilS = meter.now() + 0.05
  // #region stream
  for await (const { timeS, powerW } of samplePower(meter, { intervalS: 0.1 })) {
    print(timeS, powerW)
    if (timeS > untilS) break // or end it with { signal }
  }
  // #endregion stream
  expect(said.at(-1)).toMatchObject([expect.any(Number), { 'fake:counter': 300 }])
})

test('every kind of plug has an address in the guide, and each of them can be read', () => {
  const rows = [...guide.matchAll(/^\| `([a-z0-9-]+)` +\| `([^`]+)` +\|/gm)]
  const addresses = rows.filter(([, , address = '']) => address.includes('://'))
  for (const [, kind, address = ''] of addresses) expect(parseWallUrl(address).kind).toBe(kind)
  expect(new Set(addresses.map(([, kind]) => kind))).toEqual(new Set(EVERY_KIND))
  for (const [, address = ''] of guide.matchAll(/`([a-z0-9+-]+:\/\/[^`]+)`/g)) parseWallUrl(address)
})

test('the rule that opens RAPL is the one that the meter tells', () => {
  const source = readFileSync(new URL('../src/rapl/permission.ts', import.meta.url), 'utf8')
  const [, rule = 'no rule'] = /'(SUBSYSTEM=[^']+)'/.exec(source) ?? []
  expect(guide).toContain(rule)
})
