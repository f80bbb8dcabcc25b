import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findListeningProcess } from '../../src/server/listening-process.js'

const row = (port: string, state: string, inode: number) =>
  `   0: 0100007F:${port} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1`

let procPath: string

beforeAll(async () => {
  procPath = await mkdtemp(join(tmpdir(), 'energy-bench-'))
  await mkdir(join(procPath, 'net'))
  await mkdir(join(procPath, '123', 'fd'), { recursive: true })
  // 1F90 is 8080 and 1F91 is 8081; state 0A listens, 01 is a connection.
  const rows = [
    '  sl  local_address',
    row('1F90', '01', 666),
    row('1F90', '0A', 777),
    row('1F91', '0A', 9),
  ]
  await writeFile(join(procPath, 'net', 'tcp'), rows.join('\n'))
  await symlink('socket:[777]', join(procPath, '123', 'fd', '4'))
})

afterAll(async () => {
  await rm(procPath, { recursive: true })
})

test('the process that holds the listening socket is found', async () => {
  expect(await findListeningProcess(8080, procPath)).toBe(123)
})

test('a process that cannot be looked into is unknown', async () => {
  expect(await findListeningProcess(8081, procPath)).toMatchObject({
    status: 'unknown',
    reason: expect.stringContaining('another user'),
  })
})

test('a port without a listener is unknown', async () => {
  expect(await findListeningProcess(9, procPath)).toMatchObject({ status: 'unknown' })
})

test('a machine without /proc is unknown', async () => {
  expect(await findListeningProcess(8080, join(procPath, 'none'))).toMatchObject({
    status: 'unknown',
  })
})
