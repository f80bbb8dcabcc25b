import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { clearAnswer, waitForAnswer } from './answer.js'
import { type EndProcess, takeEndProcess } from './end-process.js'
import type { ToPoller } from './messages.js'

/** The part of a thread that is used here. */
interface AskedThread {
  on(event: 'exit', listener: () => void): unknown
  postMessage(message: ToPoller): void
}

/** All threads together have so long to answer at the end of the process. */
const ANSWER_WAIT_MS = 300

const running = new Map<AskedThread, Int32Array>()
let endProcess: EndProcess | undefined
let fatal: unknown

/**
 * Starts a thread that cannot hold the end of the process. Node waits there for all threads, and nothing takes back a
 * native call in which one of them is stuck: the process is then ended by the system call, with its exit code. In a
 * thread of the application nothing is done, since the process is not ours to end.
 */
export function startEndable<Thread extends AskedThread>(
  answer: Int32Array,
  start: () => Thread,
): Thread {
  if (isMainThread) endProcess ??= takeEndProcess()
  const thread = start()
  if (endProcess !== undefined) watch(thread, answer)
  return thread
}

function watch(thread: AskedThread, answer: Int32Array): void {
  if (running.size === 0) {
    process.on('exit', endIfStuck)
    process.on('uncaughtExceptionMonitor', keepFatal)
  }
  running.set(thread, answer)
  thread.on('exit', () => {
    running.delete(thread)
    if (running.size > 0) return
    process.off('exit', endIfStuck)
    process.off('uncaughtExceptionMonitor', keepFatal)
  })
}

/** Node prints an error that ends the process only after the event `exit`. */
function keepFatal(error: unknown): void {
  if (process.listenerCount('uncaughtException') === 0) fatal = error
}

function endIfStuck(code: number): void {
  if (!isAnyStuck()) return
  if (fatal !== undefined) writeSync(process.stderr.fd, `Uncaught ${inspect(fatal)}\n`)
  // Those that were added after this one would have their turn when this one returns.
  const listeners = process.rawListeners('exit')
  const later = listeners.slice(listeners.indexOf(endIfStuck) + 1)
  for (const listener of later) listener.call(process, code)
  endProcess?.(Number(process.exitCode ?? code))
}

function isAnyStuck(): boolean {
  for (const [thread, answer] of running) {
    clearAnswer(answer)
    thread.postMessage({ type: 'stop' })
  }
  const deadlineMs = performance.now() + ANSWER_WAIT_MS
  return [...running.values()].some(
    (answer) => !waitForAnswer(answer, deadlineMs - performance.now()),
  )
}
