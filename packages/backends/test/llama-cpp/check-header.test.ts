import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { headerProblem } from '../../src/llama-cpp/check-header.js'

const weights = new URL('../../../reference-model/weights/reference-q2_k.gguf', import.meta.url)

test('a whole file has no problem', async () => {
  expect(await headerProblem(fileURLToPath(weights))).toBeUndefined()
})

test('a length that goes beyond the file is named with its place', async () => {
  const path = join(await temporaryFolder(), 'bad.gguf')
  await writeFile(
    path,
    `GGUF\u0003\0\0\0${'\0'.repeat(8)}\u0001${'\0'.repeat(7)}${'\u00ff'.repeat(20)}`,
    'latin1',
  )
  expect(await headerProblem(path)).toMatch(/parts are announced at byte 32, and 12 bytes are left/)
})

test('whatever bytes are damaged, the check ends with an answer and never reads past the end', async () => {
  const path = join(await temporaryFolder(), 'damaged.gguf')
  const header = (await readFile(weights)).subarray(0, 4096)
  const damage = fc.record({
    at: fc.nat(4095),
    byte: fc.nat(255),
    length: fc.integer({ min: 4, max: 4096 }),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, byte, length }) => {
      const bytes = Buffer.from(header.subarray(0, length))
      if (at < length) bytes[at] = byte
      await writeFile(path, bytes)
      expect(['string', 'undefined']).toContain(typeof (await headerProblem(path)))
    }),
    { numRuns: 200 },
  )
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'energy-bench-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
