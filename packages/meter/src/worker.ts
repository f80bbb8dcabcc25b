import { parentPort, workerData } from 'node:worker_threads'
import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { DriverFound } from './drivers/driver.js'
import { driverOf } from './drivers/drivers.js'
import { giveAnswer } from './polling/answer.js'
import { withDeadline } from './polling/deadline.js'
import type {
  FoundDriver,
  FromPoller,
  OpenedSource,
  PollerStart,
  ToPoller,
} from './polling/messages.js'
import { openSource } from './polling/open-source.js'
import { pollSource } from './polling/poll-loop.js'
import type { PolledSource, SourceSpec } from './polling/polled-source.js'
import { createSleeper } from './polling/sleeper.js'

/** Time between two polls that follow the tick of a counter is never longer than this, seconds. */
const TICK_INTERVAL_S = 0.3
const OPEN_DEADLINE_S = 15

/** Entry of the thread of one driver: looks for it, opens its sources, polls them, posts what it saw, ends on `stop`. */
async function main(start: PollerStart): Promise<void> {
  const stop = new AbortController()
  const sleeper = createSleeper()
  stop.signal.addEventListener('abort', sleeper.wake)
  parentPort?.on('message', (message: ToPoller) => {
    if (message.type === 'stop') stop.abort()
    giveAnswer(start.answer)
  })
  const found = await detect(start)
  post({ type: 'found', found: isUnavailable(found) ? found : toFound(found) })
  if (start.task === 'poll' && !isUnavailable(found))
    await poll(found.specs, { signal: stop.signal, sleep: sleeper.sleep })
  parentPort?.close()
}

async function detect({ driver, options }: PollerStart): Promise<DriverFound | Unavailable> {
  const { name, detect: look } = driverOf(driver)
  try {
    return await withDeadline(look(options), OPEN_DEADLINE_S, name)
  } catch (error) {
    return unavailable('failed', `${name} failed: ${messageOf(error)}`)
  }
}

interface Running {
  readonly signal: AbortSignal
  readonly sleep: (durationS: number) => Promise<void>
}

async function poll(specs: readonly SourceSpec[], running: Running): Promise<void> {
  const opened = await Promise.all(
    specs.map((spec) => withDeadline(openSource(spec), OPEN_DEADLINE_S, spec.kind)),
  )
  const sources = opened.filter((source): source is PolledSource => !isUnavailable(source))
  post({
    type: 'ready',
    sources: opened.map((source) => (isUnavailable(source) ? source : toOpened(source))),
  })
  const deliver = (samples: Extract<FromPoller, { type: 'batch' }>['samples']): void =>
    post({ type: 'batch', samples })
  const over = await Promise.all(
    sources.map((source) => pollSource(source, { ...running, deliver })),
  )
  const why = over.find((reason) => reason !== undefined)
  if (why !== undefined && !running.signal.aborted) post({ type: 'over', why })
  await Promise.all(sources.map((source) => source[Symbol.asyncDispose]()))
}

function toFound({ status, detail, devices }: DriverFound): FoundDriver {
  return { status, detail, devices }
}

function toOpened({ domains, devices, timelines, pacing }: PolledSource): OpenedSource {
  const intervalS = pacing.type === 'steady' ? pacing.intervalS : TICK_INTERVAL_S
  return { domains, devices, timelines, intervalS }
}

function post(message: FromPoller): void {
  parentPort?.postMessage(message)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

await main(workerData)
