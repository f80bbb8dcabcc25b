import { isUnavailable, type SourceSample, type Unavailable } from '@energy-bench/spec'
import { noAnswer, withDeadline } from './deadline.js'
import { createHistory, type History } from './history.js'
import type { OpenedSource } from './messages.js'
import { connectPoller, type Poller, type PollerThread } from './poller.js'

/** Options of `openFeed`. */
export interface FeedOptions {
  /** Name of the driver, for people. */
  readonly name: string
  /** Seconds, the clock of the sources. */
  readonly now: () => number
  /** A driver that takes longer to open is given up, seconds. Default 20. */
  readonly openDeadlineS?: number
}

/** The sources of one driver in their thread, open. What befalls it befalls no other. */
export interface Feed {
  /** What was found, one sentence. */
  readonly detail: string
  readonly sources: readonly OpenedSource[]
  /** Why other sources of the driver did not open. */
  readonly problems: readonly Unavailable[]
  readonly history: History
  /** Set when the thread has been silent for too long, until it speaks again. */
  silence(): Unavailable | undefined
  /** Calls `look` whenever something new is known; ends with the function that it gives. */
  listen(look: () => void): () => void
  stop(): Promise<void>
}

/** Opening wakes devices, and some take seconds. */
const OPEN_DEADLINE_S = 20
/** A thread that posts nothing for this long, and for so many polls, is stuck. */
const SILENT_S = 3
const SILENT_POLLS = 10

/** Waits until the sources of the thread are open. Gives the reason when none of them opens. */
export async function openFeed(
  thread: PollerThread,
  options: FeedOptions,
): Promise<Feed | Unavailable> {
  const inbox = createInbox(options.now)
  const poller = connectPoller(thread, { onSamples: inbox.take, onEnd: inbox.end })
  const { name, openDeadlineS = OPEN_DEADLINE_S } = options
  const opened = await withDeadline(whatOpens(poller), openDeadlineS, name)
  if (isUnavailable(opened)) {
    await poller.stop()
    return opened
  }
  const history = createHistory(opened.sources)
  inbox.connect(history)
  const intervalS = Math.max(...opened.sources.map((source) => source.intervalS))
  const limitS = Math.max(SILENT_S, SILENT_POLLS * intervalS)
  return {
    ...opened,
    history,
    silence() {
      const silentS = options.now() - inbox.heardS()
      return silentS > limitS && !inbox.isOver() ? noAnswer(name, silentS) : undefined
    },
    listen: inbox.listen,
    async stop() {
      await poller.stop()
    },
  }
}

type Opened = Pick<Feed, 'detail' | 'sources' | 'problems'>

async function whatOpens(poller: Poller): Promise<Opened | Unavailable> {
  const found = await poller.found
  if (isUnavailable(found)) return found
  const results = await poller.opened
  const sources = results.filter((source): source is OpenedSource => !isUnavailable(source))
  const problems = results.filter(isUnavailable)
  if (sources.length === 0) return problems[0] ?? noSource()
  return { detail: found.detail, sources, problems }
}

function noSource(): Unavailable {
  return { status: 'unavailable', reason: 'no-device', detail: 'the driver has no source' }
}

/** Keeps what comes before there is a history, and remembers when something came last. */
function createInbox(now: () => number) {
  const early: SourceSample[] = []
  const listeners = new Set<() => void>()
  let history: History | undefined
  let over: Unavailable | undefined
  let heardS = now()
  const tell = (): void => {
    heardS = now()
    for (const look of listeners) look()
  }
  return {
    heardS: () => heardS,
    isOver: () => over !== undefined,
    take(samples: readonly SourceSample[]): void {
      if (history === undefined) early.push(...samples)
      for (const sample of samples) history?.add(sample)
      tell()
    },
    end(why: Unavailable): void {
      over = why
      history?.end(why)
      tell()
    },
    connect(made: History): void {
      history = made
      heardS = now()
      for (const sample of early.splice(0)) history.add(sample)
      if (over !== undefined) history.end(over)
    },
    listen(look: () => void): () => void {
      listeners.add(look)
      return () => listeners.delete(look)
    },
  }
}
