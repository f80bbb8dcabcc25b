import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeEnginePlan, fakeEngine, runs } from './fake-engine.js'

const parentPath = fileURLToPath(new URL('./parent.ts', import.meta.url))
const signals = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const
const endings = ['exit', 'throw', 'return'] as const

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'energy-bench-test-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function startParent(plan: FakeEnginePlan, ending?: (typeof endings)[number]) {
  const logPath = join(folder, `${randomUUID()}.log`)
  const options = { ...(await fakeEngine(plan)), logPath, stopGraceS: 0.3 }
  const parent = spawn(
    process.execPath,
    ['--import', 'tsx', parentPath, JSON.stringify(options), ...(ending ? [ending] : [])],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [line] = await once(createInterface(parent.stdout), 'line')
  const processIds: readonly number[] = JSON.parse(String(line))
  return { parent, processIds }
}

const running = async (processIds: readonly number[]) => {
  const states = await Promise.all(processIds.map(runs))
  return states.filter((state) => state).length
}

test.each(signals)('an engine does not outlive a process that ends by %s', async (signal) => {
  const { parent, processIds } = await startParent({ child: true })
  expect(processIds).toHaveLength(2)
  expect(await running(processIds)).toBe(2)
  parent.kill(signal)
  await expect.poll(() => running(processIds), { timeout: 10_000 }).toBe(0)
})

test('an engine that does not listen to SIGTERM is killed after its grace', async () => {
  const { parent, processIds } = await startParent({ child: true, ignoresTerm: true })
  parent.kill('SIGKILL')
  await expect.poll(() => running(processIds), { timeout: 10_000 }).toBe(0)
})

test.each(endings)('an engine does not outlive a process that ends by %s', async (ending) => {
  const { parent, processIds } = await startParent({}, ending)
  if (parent.exitCode === null) await once(parent, 'exit')
  await expect.poll(() => running(processIds), { timeout: 10_000 }).toBe(0)
})
