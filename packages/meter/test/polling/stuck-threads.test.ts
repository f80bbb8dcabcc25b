import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildHangingNvml } from '../build-hanging-nvml.js'

const script = fileURLToPath(new URL('./stuck-child.mjs', import.meta.url))

/** How a process ended, and how long after its last words. */
interface End {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly tookMs: number
}

/** Starts the child, waits until its driver hangs, and lets it end. */
async function endOf(library: string, wayToEnd: string): Promise<End> {
  const child = spawn(process.execPath, [script, library, wayToEnd], { stdio: 'pipe' })
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child.stderr, 'data')
  child.stdin.write('end')
  return { ...(await exitOf(child)), ...(await outputsOf(outputs)) }
}

async function exitOf(child: ChildProcessWithoutNullStreams) {
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  const beganMs = performance.now()
  const [code] = await exited
  return { code: code as number | null, tookMs: performance.now() - beganMs }
}

async function outputsOf(outputs: Promise<readonly [string, string]>) {
  const [stdout, stderr] = await outputs
  return { stdout, stderr }
}

const forEver = { afterMs: 300 }

test('a call that never returns: after dispose the process ends by itself, its code and output whole', async () => {
  const { code, stdout, tookMs } = await endOf(buildHangingNvml(forEver), 'dispose and return')
  expect({ code, length: stdout.length, end: stdout.slice(-12) }).toEqual({
    code: 7,
    length: 300_012,
    end: 'last words 7',
  })
  expect(tookMs).toBeLessThan(1000)
})

test('a call that never returns: process.exit ends the process with its code', async () => {
  const { code, stdout, tookMs } = await endOf(buildHangingNvml(forEver), 'process.exit')
  expect({ code, length: stdout.length, end: stdout.slice(-12) }).toEqual({
    code: 5,
    length: 60_012,
    end: 'last words 5',
  })
  expect(tookMs).toBeLessThan(1000)
})

test('a call that never returns: a meter that nobody disposed does not hold the process either', async () => {
  const { code, stdout } = await endOf(buildHangingNvml(forEver), 'return')
  expect({ code, stdout }).toEqual({ code: 3, stdout: 'last words 3' })
})

test('a call that never returns: the error that ends the process is still printed', async () => {
  const { code, stdout, stderr } = await endOf(buildHangingNvml(forEver), 'throw')
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'last words 1' })
  expect(stderr).toMatch(/^hanging\nUncaught Error: the application is broken\n {4}at /)
})

test('a library that never gets loaded does not hold the process', async () => {
  const library = buildHangingNvml({ ...forEver, atLoad: true })
  const { code, tookMs } = await endOf(library, 'process.exit')
  expect(code).toBe(5)
  expect(tookMs).toBeLessThan(1000)
})

test('a process whose driver answers ends as Node ends it', async () => {
  const library = buildHangingNvml({ ...forEver, forMs: 1 })
  const { code, stderr } = await endOf(library, 'process.exit')
  expect({ code, stderr }).toEqual({ code: 5, stderr: 'hanging\ngoodbye\n' })
})
