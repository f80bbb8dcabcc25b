import { EnergyBenchError, isUnavailable, type Meter, type Unavailable } from '@energy-bench/spec'
import { monotonicS } from './clock.js'
import type { DetectOptions, MeterId } from './drivers/driver.js'
import { driverOf, drivers, isMeterId } from './drivers/drivers.js'
import { plainOptions } from './plain-options.js'
import { type Feed, openFeed } from './polling/feed.js'
import { createPolledMeter } from './polling/polled-meter.js'
import { startThread } from './polling/poller.js'
import { measuresWork, placeOf, type RunsOn, withScopes } from './scope.js'
import { placeSentences, usedSentence, whySentence } from './selection.js'

/** Options of `openMeter`. */
export interface OpenMeterOptions extends DetectOptions {
  /**
   * Default `auto`: every GPU, RAPL, and the wall plugs in `wall`, together; the CPU estimate only where nothing
   * measures the place of the work. A meter that is named must open.
   */
  readonly meter?: 'auto' | MeterId | readonly MeterId[]
  /** Where the work runs; the domains of other places are recorded, but not counted. Default: on a metered GPU, if any. */
  readonly runsOn?: RunsOn
  readonly signal?: AbortSignal
}

const AUTO: readonly MeterId[] = ['nvml', 'amd', 'intel', 'apple', 'rapl']

/**
 * Opens a meter and starts to watch, each driver in a thread of its own.
 *
 * @example
 * await using meter = await openMeter()
 * const startS = meter.now()
 * await work()
 * const reading = await meter.energyBetween(startS, meter.now())
 */
export async function openMeter(options: OpenMeterOptions = {}): Promise<Meter> {
  const { meter = 'auto', runsOn = 'unknown', signal } = options
  signal?.throwIfAborted()
  const plan = planOf(meter, options.wall ?? [])
  const detect = plainOptions(options)
  const tries = await Promise.all(plan.map((planned) => openDriver(planned, detect)))
  try {
    signal?.throwIfAborted()
    assertNamed(tries)
    const isNamed = meter !== 'auto'
    const estimate = isNamed || isMeasured(tries, runsOn) ? [] : [await openEstimate(detect)]
    signal?.throwIfAborted()
    return assemble([...tries, ...estimate], { runsOn, isNamed })
  } catch (error) {
    await Promise.all(tries.map(({ feed }) => (isUnavailable(feed) ? undefined : feed.stop())))
    throw error
  }
}

interface Planned {
  readonly id: MeterId
  /** True when the caller asked for this meter and would miss it. */
  readonly isNamed: boolean
}

interface Try extends Planned {
  readonly feed: Feed | Unavailable
}

function planOf(
  meter: NonNullable<OpenMeterOptions['meter']>,
  wall: readonly unknown[],
): readonly Planned[] {
  const names: readonly string[] = typeof meter === 'string' ? [meter] : meter
  const ids = new Set(meter === 'auto' ? [] : names.map(meterId))
  if (wall.length > 0) ids.add('wall')
  const named = [...ids].map((id) => ({ id, isNamed: true }))
  return meter === 'auto' ? [...AUTO.map((id) => ({ id, isNamed: false })), ...named] : named
}

function meterId(name: string): MeterId {
  if (isMeterId(name)) return name
  throw new EnergyBenchError('usage-invalid', `there is no meter "${name}"`, {
    fix: `Use one of: auto, ${drivers.map((driver) => driver.id).join(', ')}.`,
  })
}

async function openDriver(planned: Planned, options: DetectOptions): Promise<Try> {
  const { name, whyAbsent } = driverOf(planned.id)
  const absent = whyAbsent?.(options)
  if (absent !== undefined) return { ...planned, feed: absent }
  const thread = startThread({ task: 'poll', driver: planned.id, options })
  return { ...planned, feed: await openFeed(thread, { name, now: monotonicS }) }
}

function openEstimate(options: DetectOptions): Promise<Try> {
  return openDriver({ id: 'cpu', isNamed: false }, options)
}

/** A meter that was named must be there, whole. */
function assertNamed(tries: readonly Try[]): void {
  for (const { id, isNamed, feed } of tries) {
    const problem = isUnavailable(feed) ? feed : feed.problems[0]
    if (isNamed && problem !== undefined)
      throw unavailableError([whySentence(driverOf(id).name, problem)], problem)
  }
}

function isMeasured(tries: readonly Try[], runsOn: RunsOn): boolean {
  return measuresWork(domainsOf(tries, { runsOn, isNamed: false }))
}

interface Counting {
  readonly runsOn: RunsOn
  readonly isNamed: boolean
}

function openedOf(tries: readonly Try[]) {
  return tries.flatMap(({ id, feed }) =>
    isUnavailable(feed)
      ? []
      : [{ driver: id, feed, domains: feed.sources.flatMap((source) => source.domains) }],
  )
}

function domainsOf(tries: readonly Try[], counting: Counting): Meter['domains'] {
  const opened = openedOf(tries)
  const place = placeOf(opened, counting)
  const domains = opened.flatMap((each) => withScopes(each, place))
  // What was named counts, even where it is not where the work runs.
  return counting.isNamed && domains.every((domain) => domain.scope === 'context')
    ? domains.map((domain) => ({ ...domain, scope: 'workload' }))
    : domains
}

function assemble(tries: readonly Try[], counting: Counting): Meter {
  const opened = openedOf(tries)
  const sentences = tries.flatMap(({ id, feed }) => sentencesOf(driverOf(id).name, feed))
  if (opened.length === 0) {
    const problems = tries.map(({ feed }) => feed).filter(isUnavailable)
    throw unavailableError(sentences, problems.find((problem) => problem.fix) ?? problems[0])
  }
  const domains = domainsOf(tries, counting)
  const place = placeOf(opened, counting)
  return createPolledMeter(
    opened.map(({ feed }) => feed),
    { domains, selection: [...sentences, ...placeSentences(place, domains)], now: monotonicS },
  )
}

function sentencesOf(name: string, feed: Feed | Unavailable): readonly string[] {
  if (isUnavailable(feed)) return [whySentence(name, feed)]
  const missing = feed.problems.map((problem) => whySentence(name, problem))
  return [usedSentence(name, feed.detail), ...missing]
}

function unavailableError(
  sentences: readonly string[],
  problem: Unavailable | undefined,
): EnergyBenchError {
  return new EnergyBenchError(
    'meter-unavailable',
    `no meter could be opened: ${sentences.join(' ')}`,
    {
      fix: problem?.fix ?? `Use one of: auto, ${drivers.map((driver) => driver.id).join(', ')}.`,
      cause: problem,
    },
  )
}
