import { parentPort, workerData } from 'node:worker_threads'
import { isUnavailable } from '@energy-bench/spec'
import type { FromPoller, PollerStart, ToPoller } from './polling/messages.js'
import { openSource } from './polling/open-source.js'
import { pollSource } from './polling/poll-loop.js'
import type { PolledSource } from './polling/polled-source.js'
import { createSleeper } from './polling/sleeper.js'

/** Entry of the polling thread: opens the sources here, polls them, posts what it saw, ends on `stop`. */
async function main({ specs }: PollerStart): Promise<void> {
  const stop = new AbortController()
  const sleeper = createSleeper()
  stop.signal.addEventListener('abort', sleeper.wake)
  parentPort?.on('message', (message: ToPoller) => {
    if (message.type === 'stop') stop.abort()
  })
  const opened = await Promise.all(specs.map(openSource))
  const sources = opened.filter((source): source is PolledSource => !isUnavailable(source))
  post({
    type: 'ready',
    sources: opened.map((source) =>
      isUnavailable(source)
        ? source
        : { domains: source.domains, devices: source.devices, timelines: source.timelines },
    ),
  })
  const loop = { signal: stop.signal, deliver, sleep: sleeper.sleep }
  await Promise.all(sources.map((source) => pollSource(source, loop)))
  await Promise.all(sources.map((source) => source[Symbol.asyncDispose]()))
  parentPort?.close()
}

function post(message: FromPoller): void {
  parentPort?.postMessage(message)
}

function deliver(samples: Extract<FromPoller, { type: 'batch' }>['samples']): void {
  post({ type: 'batch', samples })
}

await main(workerData)
