import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchEngine } from '../../src/launch/index.js'
import { childrenIn, fakeEngine, runs } from './fake-engine.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'energy-bench-test-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

const status = (url: string) =>
  fetch(url).then(
    (response) => response.status,
    () => 'refused',
  )

describe('a launched engine', () => {
  test('is ready when its route says so, and gone after it was stopped', async () => {
    const options = await fakeEngine({ looksUntilReady: 2 })
    const beforeS = Number(process.hrtime.bigint()) / 1e9
    const engine = await launchEngine({ ...options, env: { FAKE_WORD: 'hello' } })
    const { baseUrl, loading, loadS } = engine
    expect(`${baseUrl}/health`).toBe(options.readyUrl)
    expect(await (await fetch(baseUrl)).text()).toBe('hello')
    expect(engine.args).toEqual(options.args)
    expect(engine.exit()).toBeNull()
    expect(loading.startS).toBeGreaterThanOrEqual(beforeS)
    expect(loadS).toBe(loading.endS - loading.startS)
    // It was asked three times, with a pause between.
    expect(loadS).toBeGreaterThan(0.09)
    expect(await runs(engine.processId)).toBe(true)
    await engine.stop()
    expect(await runs(engine.processId)).toBe(false)
    expect(await status(baseUrl)).toBe('refused')
    expect(engine.exit()).toEqual({ code: null, signal: 'SIGTERM' })
    await engine.ended
    await engine.stop()
  })

  test('is stopped at the end of its scope', async () => {
    let processId = 0
    {
      await using engine = await launchEngine(await fakeEngine())
      processId = engine.processId
    }
    expect(await runs(processId)).toBe(false)
  })

  test('is killed, with what it started, when it does not end by itself', async () => {
    const options = await fakeEngine({ ignoresTerm: true, child: true })
    const engine = await launchEngine({ ...options, stopGraceS: 0.2 })
    const [child = 0] = childrenIn(await engine.lastLogLines())
    expect(await runs(child)).toBe(true)
    await engine.stop()
    expect(engine.exit()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await runs(child)).toBe(false)
    expect(await runs(engine.processId)).toBe(false)
  })

  test('takes what it started along when it ends by itself, and keeps its log', async () => {
    const engine = await launchEngine(await fakeEngine({ child: true }))
    const [child = 0] = childrenIn(await engine.lastLogLines())
    await status(`${engine.baseUrl}/quit`)
    await engine.ended
    expect(engine.exit()).toEqual({ code: 7, signal: null })
    await engine.stop()
    expect(await runs(child)).toBe(false)
    await access(engine.logPath)
    await rm(join(engine.logPath, '..'), { recursive: true })
  })

  test('writes a flood without waiting; only its last lines are kept in memory', async () => {
    const logPath = join(folder, 'flood.log')
    const options = await fakeEngine({ floods: 200_000 })
    await using engine = await launchEngine({ ...options, logPath })
    expect(await engine.lastLogLines(2)).toEqual(['line 199998', 'line 199999'])
    expect((await engine.lastLogLines(1e6)).length).toBeLessThan(7000)
    await engine.stop()
    expect((await readFile(logPath, 'utf8')).split('\n')).toHaveLength(200_001)
    expect(await engine.lastLogLines(1)).toEqual(['line 199999'])
  })

  test('has a log of its own that goes with it, and its last lines stay', async () => {
    const engine = await launchEngine(await fakeEngine({ floods: 3 }))
    await access(engine.logPath)
    await Promise.all([engine.stop(), engine.stop(), engine[Symbol.asyncDispose]()])
    await expect(access(engine.logPath)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await engine.lastLogLines()).toEqual(['line 0', 'line 1', 'line 2'])
  })

  test('starts again with other options, in the same log', async () => {
    const logPath = join(folder, 'restart.log')
    const first = await launchEngine({ ...(await fakeEngine({ floods: 2 })), logPath })
    const changes = await fakeEngine({ floods: 1 })
    await using second = await first.restart(changes)
    expect(await runs(first.processId)).toBe(false)
    expect(second.baseUrl).not.toBe(first.baseUrl)
    expect(await second.lastLogLines()).toEqual(['line 0'])
    expect(await readFile(logPath, 'utf8')).toBe('line 0\nline 1\nline 0\n')
  })
})

describe('a launch that fails', () => {
  test('by an early end tells the code, the last lines and where the log is', async () => {
    const logPath = join(folder, 'dead.log')
    await expect(
      launchEngine({ ...(await fakeEngine({ dies: 3 })), logPath }),
    ).rejects.toMatchObject({
      code: 'backend-unavailable',
      message:
        'node ended with code 3 before it was ready. Its last lines:\n  cannot allocate\n  far too big',
      fix: `Correct what its last lines say. The whole log is ${logPath}`,
      isRetryable: false,
    })
  })

  test('by taking too long tells so and leaves nothing behind', async () => {
    const options = await fakeEngine({ looksUntilReady: 1e9, child: true })
    const logPath = join(folder, 'slow.log')
    const error = await launchEngine({ ...options, logPath, readyTimeoutS: 1 }).catch(String)
    expect(error).toContain(`node runs, but ${options.readyUrl} was not ready within 1 s.`)
    const [child = 0] = childrenIn((await readFile(logPath, 'utf8')).split('\n'))
    expect(child).toBeGreaterThan(0)
    expect(await runs(child)).toBe(false)
    expect(await status(options.readyUrl)).toBe('refused')
  })

  test('by an abort rejects with its reason and leaves nothing behind', async () => {
    const options = await fakeEngine({ looksUntilReady: 1e9 })
    const stop = new AbortController()
    const launching = launchEngine({ ...options, signal: stop.signal })
    await expect.poll(() => status(options.readyUrl)).toBe(503)
    const reason = new Error('no longer wanted')
    stop.abort(reason)
    await expect(launching).rejects.toBe(reason)
    expect(await status(options.readyUrl)).toBe('refused')
    await expect(launchEngine({ ...options, signal: stop.signal })).rejects.toBe(reason)
  })

  test('for want of the program tells what to do', async () => {
    const options = { ...(await fakeEngine()), command: '/nowhere/engine' }
    await expect(launchEngine(options)).rejects.toMatchObject({
      code: 'backend-unavailable',
      message: expect.stringContaining('/nowhere/engine cannot be started: spawn'),
      fix: 'Install engine, or give its path.',
      isRetryable: false,
    })
  })

  test('for a log that cannot be written starts nothing', async () => {
    const options = { ...(await fakeEngine()), logPath: join(folder, 'no', 'such.log') }
    await expect(launchEngine(options)).rejects.toMatchObject({ code: 'save-failed' })
    expect(await status(options.readyUrl)).toBe('refused')
  })

  test('for a port on which something else listens, which would be taken for the engine', async () => {
    const options = await fakeEngine()
    const port = Number(new URL(options.readyUrl).port)
    const other = createServer((_, response) => response.end())
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    await expect(launchEngine(options)).rejects.toMatchObject({
      code: 'environment-invalid',
      message: `Port ${port} of 127.0.0.1 is not free.`,
    })
    await new Promise((resolve) => other.close(resolve))
  })
})
