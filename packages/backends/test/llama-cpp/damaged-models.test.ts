import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLlamaCpp } from '../../src/llama-cpp/index.js'
import { referenceModelPath } from '../support/fixtures.js'

describe('a model file that cannot be used gives model-invalid and leaves the process alive', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'energy-bench-'))
  })

  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  async function expectInvalid(path: string, message: RegExp): Promise<void> {
    await expect(createLlamaCpp({ gpu: false }).load({ path })).rejects.toMatchObject({
      code: 'model-invalid',
      message: expect.stringMatching(message),
      fix: expect.stringMatching(/gguf/),
    })
  }

  async function damaged(name: string, bytes: Buffer): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }

  test('a missing file', () => expectInvalid(join(folder, 'none.gguf'), /cannot be read: ENOENT/))

  test('a folder', () => expectInvalid(folder, /is a folder/))

  test('an empty file', async () => {
    await expectInvalid(await damaged('empty.gguf', Buffer.alloc(0)), /not a GGUF file/)
  })

  test('a text file', async () => {
    await expectInvalid(
      await damaged('text.gguf', Buffer.from('hello world')),
      /begins with "hell"/,
    )
  })

  test('random bytes after the magic', async () => {
    const bytes = seeded(5000)
    bytes.write('GGUF')
    bytes.writeUInt32LE(3, 4)
    await expectInvalid(await damaged('random.gguf', bytes), /damaged|cannot load/)
  })

  test('a header that is cut', async () => {
    const bytes = (await readFile(referenceModelPath)).subarray(0, 20_000)
    await expectInvalid(await damaged('header.gguf', bytes), /damaged|cannot load/)
  })

  test('tensors that are cut', async () => {
    const bytes = await readFile(referenceModelPath)
    const path = await damaged('tensors.gguf', bytes)
    await truncate(path, bytes.length - 1000)
    await expectInvalid(path, /cannot load|damaged/)
  })

  test('no path at all', async () => {
    await expect(createLlamaCpp().load({ id: 'x' })).rejects.toMatchObject({
      code: 'model-invalid',
    })
  })
})

/** Bytes that look random and are the same in every run. */
function seeded(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 42
  for (let index = 0; index < length; index += 1) {
    state = (state * 48271) % 2147483647
    bytes[index] = state & 255
  }
  return bytes
}
