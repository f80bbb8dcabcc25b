import { Worker } from 'node:worker_threads'
import { type SourceSample, type Unavailable, unavailable } from '@energy-bench/spec'
import { createAnswer } from './answer.js'
import type {
  FoundDriver,
  FromPoller,
  OpenedSource,
  PollerOrder,
  PollerStart,
  ToPoller,
} from './messages.js'
import { startEndable } from './stuck-threads.js'

/** The part of a worker thread that is used, so that tests need no thread. */
export interface PollerThread {
  on(event: 'message', listener: (message: FromPoller) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
  postMessage(message: ToPoller): void
  unref(): void
  terminate(): Promise<unknown>
}

/** A running thread. */
export interface Poller {
  /** Whether the driver can run here. */
  readonly found: Promise<FoundDriver>
  /** What each source became, in order. */
  readonly opened: Promise<readonly (OpenedSource | Unavailable)[]>
  /** Ends the thread. One that is stuck in a call of its driver is left behind after a moment. */
  stop(): Promise<void>
}

/** What happens in the polling thread. */
export interface PollerEvents {
  readonly onSamples: (samples: readonly SourceSample[]) => void
  /** No sample comes any more: the thread is gone unasked, or its source has ended. */
  readonly onEnd: (why: Unavailable) => void
}

const STOP_WAIT_MS = 2000
const TERMINATE_WAIT_MS = 500

/** Starts the thread of a driver. */
export function startThread(order: PollerOrder): PollerThread {
  const answer = createAnswer()
  const workerData: PollerStart = { ...order, answer }
  // Flags of the main program, such as --input-type or a loader, can keep the thread from starting.
  const start = (): Worker =>
    new Worker(new URL('./worker.js', import.meta.url), { workerData, execArgv: [] })
  return startEndable(answer, start)
}

/** Listens to a thread. It keeps the process alive only until its sources are open. */
export function connectPoller(thread: PollerThread, events: PollerEvents): Poller {
  const exit = deferred<void>()
  const found = deferred<FoundDriver>()
  const opened = deferred<readonly (OpenedSource | Unavailable)[]>()
  let isStopping = false
  let isOver = false
  let crash: Unavailable | undefined
  const end = (why: Unavailable): void => {
    isOver = true
    events.onEnd(why)
  }
  thread.on('message', (message) => {
    if (message.type === 'batch') return events.onSamples(message.samples)
    if (message.type === 'over') return end(message.why)
    if (message.type === 'found') return found.resolve(message.found)
    thread.unref()
    opened.resolve(message.sources)
  })
  thread.on('error', (error) => {
    crash = crashed(`crashed: ${error.message}`)
  })
  thread.on('exit', (code) => {
    exit.resolve()
    if (isStopping || isOver) return
    const why = crash ?? crashed(`ended with code ${code}`)
    found.resolve(why)
    opened.resolve([why])
    events.onEnd(why)
  })
  return {
    found: found.promise,
    opened: opened.promise,
    async stop() {
      isStopping = true
      thread.postMessage({ type: 'stop' })
      if (await endsWithin(exit.promise, STOP_WAIT_MS)) return
      // The promise of `terminate` does not settle while the thread is stuck in native code.
      void thread.terminate()
      // `terminate` makes the thread hold the process again.
      thread.unref()
      await endsWithin(exit.promise, TERMINATE_WAIT_MS)
    },
  }
}

function crashed(what: string): Unavailable {
  return unavailable('failed', `the polling thread ${what}`, 'Open the meter again.')
}

async function endsWithin(exit: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMs)
  })
  const isGone = await Promise.race([exit.then(() => true), late])
  clearTimeout(timer)
  return isGone
}

interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
