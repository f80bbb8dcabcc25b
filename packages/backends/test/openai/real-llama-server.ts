import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createOpenAI } from '../../src/openai/index.js'
import { hashFile } from '../../src/shared/hash-file.js'
import { ask, collect } from '../support/collect.js'
import { referenceModelPath } from '../support/fixtures.js'

/** Tests against a real binary with the reference model. */
export function testRealLlamaServer(binary: string): void {
  describe('the openai backend against a real llama-server', () => {
    let child: ChildProcess
    let baseUrl: string

    beforeAll(async () => {
      const port = await freePort()
      baseUrl = `http://127.0.0.1:${port}`
      child = start(binary, port)
    })

    afterAll(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })

    const create = async () => {
      await reachable(baseUrl)
      return createOpenAI({ baseUrl })
    }
    for (const check of backendContract({ create, model: {} })) test(check.name, check.run)

    test('it is described by what it says of itself', async () => {
      await using model = await createOpenAI({ baseUrl }).load({})
      expect(model.info).toMatchObject({
        engine: 'llama-server',
        quantization: 'Q4_0',
        contextTokens: 1024,
        modelDigest: await hashFile(referenceModelPath),
        processId: child.pid,
      })
    })

    test('thinking can be switched, and a repeated prompt is not cached', async () => {
      await using model = await createOpenAI({ baseUrl }).load({})
      const on = await collect(model, { thinking: 'on' })
      expect(on).toMatchObject({ text: '433', thinking: expect.stringContaining('433') })
      for (const _ of [1, 2]) {
        const off = await collect(model, { thinking: 'off' })
        expect(off).toMatchObject({ text: '433', thinking: '' })
        expect(off.end).toMatchObject({ inputTokens: 25, cachedInputTokens: 0, thinkingTokens: 0 })
      }
    })

    test('a killed server is a failed answer, and then an unavailable backend', async () => {
      await using model = await createOpenAI({ baseUrl }).load({})
      const run = async () => {
        for await (const event of model.generate({ ...ask('What is 347 + 86?'), thinking: 'on' })) {
          if (event.type !== 'end' && child.signalCode === null) child.kill('SIGKILL')
        }
      }
      await expect(run()).rejects.toMatchObject({ code: 'backend-failed', isRetryable: true })
      await expect(createOpenAI({ baseUrl }).load({})).rejects.toMatchObject({
        code: 'backend-unavailable',
      })
    })
  })
}

function start(path: string, port: number): ChildProcess {
  const address = ['--host', '127.0.0.1', '--port', String(port)]
  const limits = ['-t', '1', '-tb', '1', '-c', '1024', '-np', '1', '--no-ui']
  return spawn(path, ['-m', referenceModelPath, ...address, ...limits], { stdio: 'ignore' })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A process that was just started does not listen yet. */
async function reachable(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answers = await fetch(`${url}/health`).then(
      () => true,
      () => false,
    )
    if (answers) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
