import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { launchedLlamaServer, launchLlamaServer } from '../../src/launch/index.js'
import { runs } from '../launch/fake-engine.js'
import { collect } from '../support/collect.js'
import { referenceModelPath as model } from '../support/fixtures.js'

/** `npm run build:llama-server` makes one. */
const binary = process.env.LLAMA_SERVER ?? ''

describe.runIf(binary !== '')('launching a real llama-server', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'energy-bench-test-'))
  })

  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  const create = () => launchedLlamaServer({ binary, threads: 1, contextTokens: 1024, slots: 2 })
  for (const check of backendContract({ create, model: { path: model }, concurrency: 2 })) {
    test(check.name, check.run)
  }

  test('it runs with its flags, answers, starts again with others, and is gone', async () => {
    const options = { binary, model, threads: 1, contextTokens: 512, slots: 2 }
    const first = await launchLlamaServer({ ...options, logPath: join(folder, 'real.log') })
    {
      await using loaded = await first.createBackend().load({})
      expect(loaded.info).toMatchObject({
        slots: 2,
        contextTokens: 512,
        processId: first.processId,
      })
      expect(await collect(loaded, { thinking: 'off' })).toMatchObject({ text: '433' })
    }
    const second = await first.restart({ slots: 4, contextTokens: 256, thinking: 'on' })
    expect(await runs(first.processId)).toBe(false)
    await using loaded = await second.createBackend().load({})
    expect(loaded.info).toMatchObject({ slots: 4, contextTokens: 256 })
    // The request does not say it, so that the flag decides.
    expect((await collect(loaded)).thinking).toContain('433')
    await second.stop()
    expect(await runs(second.processId)).toBe(false)
    expect(await readFile(join(folder, 'real.log'), 'utf8')).toContain('n_ctx')
  })

  test('a flag that it does not know is told in its own words', async () => {
    const logPath = join(folder, 'flag.log')
    const options = { binary, model, logPath, extraArgs: ['--no-such-flag'] }
    await expect(launchLlamaServer(options)).rejects.toMatchObject({
      code: 'backend-unavailable',
      message: expect.stringMatching(/ended with code 1 [\s\S]*invalid argument: --no-such-flag/),
    })
  })

  test('a file that is no model is told in its own words', async () => {
    const options = { binary, model: import.meta.filename, logPath: join(folder, 'bad.log') }
    await expect(launchLlamaServer(options)).rejects.toMatchObject({
      code: 'backend-unavailable',
      message: expect.stringContaining('before it was ready'),
    })
  })
})
