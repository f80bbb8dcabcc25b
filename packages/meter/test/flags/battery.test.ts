import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseSupplies, readBattery } from '../../src/flags/index.js'

function battery(status: string): {
  readonly name: string
  readonly files: Record<string, string>
} {
  return { name: 'BAT0', files: { type: 'Battery', status } }
}
const cable = { name: 'AC', files: { type: 'Mains', online: '1' } }
const noCable = { name: 'AC', files: { type: 'Mains', online: '0' } }
const mouse = { name: 'hid-1', files: { type: 'Battery', scope: 'Device', status: 'Discharging' } }

test.each([
  ['no battery', [cable], undefined],
  ['only the battery of a mouse', [cable, mouse], undefined],
  [
    'a full battery on the cable',
    [battery('Full'), cable],
    { onBattery: false, isMoving: false, detail: 'BAT0 full, AC online' },
  ],
  [
    'charging',
    [battery('Charging'), cable],
    { onBattery: false, isMoving: true, detail: 'BAT0 charging, AC online' },
  ],
  [
    'no cable',
    [battery('Discharging'), noCable],
    { onBattery: true, isMoving: true, detail: 'BAT0 discharging, AC offline' },
  ],
  [
    'a cable too weak for the load',
    [battery('Discharging'), cable],
    { onBattery: false, isMoving: true, detail: 'BAT0 discharging, AC online' },
  ],
] as const)('%s', (...[, supplies, state]) => {
  expect(parseSupplies(supplies)).toEqual(state)
})

test('the folder of Linux is read; a machine without it has no battery', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'power-supply-'))
  await mkdir(join(folder, 'BAT1'))
  await writeFile(join(folder, 'BAT1', 'type'), 'Battery\n')
  await writeFile(join(folder, 'BAT1', 'status'), 'Discharging\n')
  expect(await readBattery(folder)).toEqual({
    onBattery: true,
    isMoving: true,
    detail: 'BAT1 discharging',
  })
  expect(await readBattery(join(folder, 'none'))).toBeUndefined()
})
