import { Worker } from 'node:worker_threads'
import { type SourceSample, type Unavailable, unavailable } from '@energy-bench/spec'
import type { FromPoller, OpenedSource, PollerStart, ToPoller } from './messages.js'
import type { SourceSpec } from './polled-source.js'

/** The part of a worker thread that is used, so that tests need no thread. */
export interface PollerThread {
  on(event: 'message', listener: (message: FromPoller) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
  postMessage(message: ToPoller): void
  unref(): void
  terminate(): Promise<unknown>
}

/** A running polling thread. */
export interface Poller {
  /** What each spec became, in order. */
  readonly opened: Promise<readonly (OpenedSource | Unavailable)[]>
  /** Ends the thread; at once when it does not answer. */
  stop(): Promise<void>
}

/** What happens in the polling thread. */
export interface PollerEvents {
  readonly onSamples: (samples: readonly SourceSample[]) => void
  /** The thread is gone, unasked. */
  readonly onCrash: (why: Unavailable) => void
}

const STOP_WAIT_MS = 2000

/** Starts the thread that polls the sources. */
export function startThread(specs: readonly SourceSpec[]): PollerThread {
  const workerData: PollerStart = { specs }
  return new Worker(new URL('./worker.js', import.meta.url), { workerData })
}

/** Listens to a polling thread. It keeps the process alive only until its sources are open. */
export function connectPoller(thread: PollerThread, events: PollerEvents): Poller {
  const exit = deferred<void>()
  const opened = deferred<readonly (OpenedSource | Unavailable)[]>()
  let stopping = false
  let crash: Unavailable | undefined
  thread.on('message', (message) => {
    if (message.type === 'batch') return events.onSamples(message.samples)
    thread.unref()
    opened.resolve(message.sources)
  })
  thread.on('error', (error) => {
    crash = unavailable(
      'failed',
      `the polling thread crashed: ${error.message}`,
      'Open the meter again.',
    )
  })
  thread.on('exit', (code) => {
    exit.resolve()
    if (stopping) return
    const why =
      crash ??
      unavailable('failed', `the polling thread ended with code ${code}`, 'Open the meter again.')
    opened.resolve([why])
    events.onCrash(why)
  })
  return {
    opened: opened.promise,
    async stop() {
      stopping = true
      thread.postMessage({ type: 'stop' })
      const timer = setTimeout(() => void thread.terminate(), STOP_WAIT_MS)
      await exit.promise
      clearTimeout(timer)
    },
  }
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
