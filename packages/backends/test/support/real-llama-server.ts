import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import {
  type DetectEnginesOptions,
  type DetectedEngine,
  detectEngines,
} from '../../src/detect/index.js'
import { referenceModelPath } from './fixtures.js'

export interface RealLlamaServer extends AsyncDisposable {
  readonly url: string
  readonly processId: number | undefined
  /** Every different thing that detection said until the server was ready. */
  readonly seen: readonly DetectedEngine[]
  /** Ends the process as nothing else could: without a chance to say goodbye. */
  kill(): void
}

export interface RealLlamaServerOptions {
  /** Generations that it works on at once. Default 1. */
  readonly slots?: number
  readonly flags?: readonly string[]
  readonly apiKey?: string
}

/** The root's `vitest.workspace.ts` sets it where a binary was built. */
const binary = process.env.LLAMA_SERVER

/** Registers tests that need a real llama-server, or one skipped test that says how to get it. */
export function describeRealLlamaServer(name: string, body: () => void): void {
  if (binary) return void describe(name, body)
  test.skip(`${name}: needs llama-server, which npm run build:llama-server builds`, () => {})
}

/** Starts a real llama-server with the reference model and waits until detection finds it ready. */
export async function startRealLlamaServer({
  slots = 1,
  flags = [],
  apiKey,
}: RealLlamaServerOptions = {}): Promise<RealLlamaServer> {
  const port = await freePort()
  const address = ['--host', '127.0.0.1', '--port', String(port)]
  // A second thread spins where cores are few, and then everything is many times slower.
  const limits = ['-t', '1', '-tb', '1', '-c', String(1024 * slots), '-np', String(slots)]
  const key = apiKey === undefined ? [] : ['--api-key', apiKey]
  const child = spawn(
    String(binary),
    ['-m', referenceModelPath, ...address, ...limits, '--no-ui', ...key, ...flags],
    { stdio: 'ignore' },
  )
  await once(child, 'spawn')
  return {
    url: `http://127.0.0.1:${port}`,
    processId: child.pid,
    seen: await watchUntilReady(child, {
      ports: [port],
      ...(apiKey === undefined ? {} : { apiKey }),
    }),
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function watchUntilReady(
  child: ChildProcess,
  options: DetectEnginesOptions,
): Promise<DetectedEngine[]> {
  const seen: DetectedEngine[] = []
  for (let look = 0; look < 500; look += 1) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`)
    const [engine] = await detectEngines(options)
    if (engine !== undefined) seen.push(engine)
    if (engine?.missing.length === 0) return seen
    await sleep(10)
  }
  child.kill('SIGKILL')
  throw new Error('llama-server was never ready')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
