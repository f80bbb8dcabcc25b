import { EventEmitter } from 'node:events'
import { isUnavailable } from '@energy-bench/spec'
import { type Feed, openFeed } from '../../src/polling/feed.js'
import type { FromPoller, OpenedSource } from '../../src/polling/messages.js'
import type { PollerThread } from '../../src/polling/poller.js'

/** A source with one steady domain. */
export function sourceOf(id: string): OpenedSource {
  return {
    domains: [{ id, kind: 'gpu', method: 'model', label: id, deviceId: id }],
    devices: [],
    timelines: { [id]: { method: 'model', type: 'steady' } },
    intervalS: 0.05,
  }
}

/** A thread that a test plays. */
export class PlayedThread extends EventEmitter implements PollerThread {
  unrefs = 0
  terminations = 0
  readonly #source: OpenedSource
  readonly #isStuck: boolean
  constructor(id = 'a', isStuck = false) {
    super()
    this.#source = sourceOf(id)
    this.#isStuck = isStuck
  }
  postMessage(): void {
    if (!this.#isStuck) this.emit('exit', 0)
  }
  unref(): void {
    this.unrefs += 1
  }
  /** Node never settles this for a thread that is stuck in native code. */
  terminate(): Promise<void> {
    this.terminations += 1
    return new Promise(() => {})
  }
  say(message: FromPoller): void {
    this.emit('message', message)
  }
  ready(): void {
    this.say({ type: 'found', found: { status: 'available', detail: 'played', devices: [] } })
    this.say({ type: 'ready', sources: [this.#source] })
  }
  poll(timeS: number, energyJ: number): void {
    const id = this.#source.domains[0]?.id ?? ''
    const domains = { [id]: { type: 'energy', energyJ } } as const
    this.say({ type: 'batch', samples: [{ startS: timeS, endS: timeS, domains }] })
  }
}

/** Opens the feed of a thread that must open. */
export async function feedOf(thread: PlayedThread, now = () => 10): Promise<Feed> {
  const opening = openFeed(thread, { name: 'NVML', now })
  thread.ready()
  const feed = await opening
  if (isUnavailable(feed)) throw new Error(feed.detail)
  return feed
}
