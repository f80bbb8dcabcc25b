import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findInterruptedLimits } from '../../src/knobs/interrupted-limits.js'
import { processStartOf } from '../../src/knobs/lock-owner.js'
import { type LockRecord, parseLockRecord } from '../../src/knobs/lock-record.js'
import { restoreCommand } from '../../src/knobs/previous-setting.js'
import { defaultStateDir } from '../../src/knobs/state-dir.js'

let stateDir: string

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'energy-bench-locks-'))
})

afterEach(() => {
  rmSync(stateDir, { recursive: true })
})

const record: LockRecord = {
  version: 1,
  device: 'GPU-fake-0000',
  previous: { what: 'power-limit', powerLimitW: 700 },
  owner: { pid: process.pid, processStart: processStartOf(process.pid), host: hostname() },
  startedAt: '2026-11-30T10:00:00.000Z',
  state: 'held',
}

function write(text: string, name = 'GPU-fake-0000.power-limit.lock.json'): string {
  writeFileSync(join(stateDir, name), text)
  return join(stateDir, name)
}

test('a folder that is missing or empty has nothing to tell', () => {
  expect(findInterruptedLimits({ stateDir })).toEqual([])
  expect(findInterruptedLimits({ stateDir: join(stateDir, 'none') })).toEqual([])
})

test('a lock whose owner runs is not interrupted', () => {
  write(JSON.stringify(record))
  expect(findInterruptedLimits({ stateDir })).toEqual([])
})

test('a lock whose number belongs to a later process is interrupted', () => {
  const path = write(
    JSON.stringify({ ...record, owner: { ...record.owner, processStart: 'boot:1' } }),
  )
  expect(findInterruptedLimits({ stateDir })).toEqual([
    {
      state: 'interrupted',
      path,
      device: 'GPU-fake-0000',
      previous: { what: 'power-limit', powerLimitW: 700 },
      pid: process.pid,
      startedAt: '2026-11-30T10:00:00.000Z',
      detail: `the power limit of GPU-fake-0000 was set by process ${process.pid} at 2026-11-30T10:00:00.000Z and never restored (former value: 700 W)`,
      fix: `Call restoreInterruptedLimit, or run \`sudo nvidia-smi -i GPU-fake-0000 -pl 700\` and delete ${path}.`,
      restoreCommand: 'sudo nvidia-smi -i GPU-fake-0000 -pl 700',
    },
  ])
})

test('a lock of another machine or container is told apart', () => {
  write(JSON.stringify({ ...record, owner: { ...record.owner, host: 'node-7.invalid' } }))
  expect(findInterruptedLimits({ stateDir })).toMatchObject([
    { state: 'elsewhere', detail: expect.stringContaining('"node-7.invalid"') },
  ])
})

test('damaged locks are reported', () => {
  const path = write('{"version": 1, "dev')
  mkdirSync(join(stateDir, 'GPU-fake-0001.power-limit.lock.json'))
  write('', 'something-else.txt')
  const found = findInterruptedLimits({ stateDir })
  expect(found.map((limit) => limit.state)).toEqual(['damaged', 'damaged'])
  expect(found[0]).toEqual({
    state: 'damaged',
    path,
    detail: `the lock file ${path} is damaged`,
    fix: `Check the GPU with \`nvidia-smi -q -d POWER,CLOCK\`, then delete ${path}.`,
  })
})

test('a record comes back from its own text', () => {
  expect(parseLockRecord(JSON.stringify(record))).toEqual(record)
})

test.each<Partial<Record<keyof LockRecord, unknown>>>([
  { version: 2 },
  { device: 'GPU-1; rm -rf /' },
  { device: '../GPU-1' },
  { previous: { what: 'power-limit', powerLimitW: -1 } },
  { previous: { what: 'power-limit', powerLimitW: '700; reboot' } },
  { previous: { what: 'fan' } },
  { owner: { ...record.owner, pid: -1 } },
  { owner: { ...record.owner, pid: 0 } },
  { owner: null },
  { startedAt: 'yesterday or so' },
  { state: 'sold' },
])('a record with %j is damaged', (change) => {
  expect(parseLockRecord(JSON.stringify({ ...record, ...change }))).toBeUndefined()
})

test('no text makes the reading of a lock throw', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"version":1,"previous":${json}}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseLockRecord(text)).toBeUndefined()
    }),
  )
})

test('the command by hand follows the platform', () => {
  const limit = { what: 'power-limit', powerLimitW: 450.5 } as const
  expect(restoreCommand('GPU-1', limit, 'linux')).toBe('sudo nvidia-smi -i GPU-1 -pl 450.5')
  expect(restoreCommand('GPU-1', { what: 'locked-clocks' }, 'win32')).toBe(
    'nvidia-smi -i GPU-1 -rgc',
  )
})

test('the state folder is that of XDG', () => {
  expect(defaultStateDir({ XDG_STATE_HOME: '/var/state' }, '/home/a')).toBe(
    '/var/state/energy-bench',
  )
  expect(defaultStateDir({ XDG_STATE_HOME: 'state' }, '/home/a')).toBe(
    '/home/a/.local/state/energy-bench',
  )
  expect(defaultStateDir({}, '/home/a')).toBe('/home/a/.local/state/energy-bench')
})
