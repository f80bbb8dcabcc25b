import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { binaryPath } from './build-plan.js'
import { bundleFolder, findCachedBinary } from './cached-binary.js'

async function repository(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'energy-bench-'))
  onTestFinished(() => rm(root, { recursive: true }))
  return root
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

test('a binary is found only when it is of the release that is installed', async () => {
  const root = await repository()
  expect(findCachedBinary(root)).toBeUndefined()
  await write(join(bundleFolder(root), 'llama.cpp.info.json'), '{"tag":"v2"}')
  await write(binaryPath(root, { release: 'v1', device: 'cpu' }), '')
  expect(findCachedBinary(root)).toBeUndefined()
  const cuda = binaryPath(root, { release: 'v2', device: 'cuda' })
  await write(cuda, '')
  expect(findCachedBinary(root)).toBe(cuda)
  const cpu = binaryPath(root, { release: 'v2', device: 'cpu' })
  await write(cpu, '')
  expect(findCachedBinary(root)).toBe(cpu)
})
