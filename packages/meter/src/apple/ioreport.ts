import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { KoffiFunc, LibraryHandle } from 'koffi'
import { koffi } from '../koffi.js'
import { type CfPool, createCfPool } from './cf-pool.js'
import type { CfRef, CoreFoundation } from './core-foundation.js'
import { bind, present } from './libraries.js'

/** One channel of one sample, as the library gives it. */
export interface RawChannel {
  /** Tells channels of one name apart; the same channel has the same key in every sample. */
  readonly key: string
  readonly name: string
  readonly unit: string | undefined
  /** Cumulative, in `unit`; `undefined` when the library could not read it. */
  readonly value: bigint | undefined
  /** When the driver published the value, mach ticks. */
  readonly stampTicks: bigint | undefined
}

/** A subscription to the energy channels. */
export interface EnergyReport extends Disposable {
  /** Reads the channels whose name is wanted; one sample costs some milliseconds. */
  sample(wants: (name: string) => boolean): readonly RawChannel[] | Unavailable
}

type Pointer = bigint | null

interface Functions {
  readonly copyChannels: KoffiFunc<
    (group: CfRef, subgroup: null, a: number, b: number, c: number) => Pointer
  >
  readonly subscribe: KoffiFunc<
    (a: null, channels: CfRef, subscribed: Pointer[], id: number, b: null) => Pointer
  >
  readonly createSamples: KoffiFunc<(subscription: CfRef, channels: CfRef, a: null) => Pointer>
  readonly channelName: KoffiFunc<(channel: CfRef) => Pointer>
  readonly unitLabel: KoffiFunc<(channel: CfRef) => Pointer>
  readonly integerValue: KoffiFunc<(channel: CfRef, error: null) => number | bigint>
}

interface Subscription {
  readonly cf: CoreFoundation
  readonly library: Functions
  readonly handle: CfRef
  readonly channels: CfRef
  readonly listKey: CfRef
  readonly rawKey: CfRef
}

const GROUP = 'Energy Model'
/** What the library returns in place of a value that it cannot read. */
const NO_VALUE = -(2n ** 63n)
/** Offsets in a raw element: provider and channel make its identity, then comes the time of publication. */
const RAW = { provider: 0, channel: 8, stamp: 24 }

/** Subscribes to the energy channels. Needs no privileges. */
export function openEnergyReport(cf: CoreFoundation, path: string): EnergyReport | Unavailable {
  const library = bind(path, declare)
  if (isUnavailable(library)) return library
  const pool = createCfPool(cf)
  const subscription = subscribe(cf, library, pool)
  if (isUnavailable(subscription)) {
    pool[Symbol.dispose]()
    return subscription
  }
  return {
    sample: (wants) => sampleChannels(subscription, wants),
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  }
}

function declare(library: LibraryHandle): Functions {
  const pointerOut = koffi().out(koffi().pointer('void *'))
  return {
    copyChannels: library.func('IOReportCopyChannelsInGroup', 'void *', [
      ...['void *', 'void *', 'uint64', 'uint64', 'uint64'],
    ]),
    subscribe: library.func('IOReportCreateSubscription', 'void *', [
      ...['void *', 'void *', pointerOut, 'uint64', 'void *'],
    ]),
    createSamples: library.func('IOReportCreateSamples', 'void *', ['void *', 'void *', 'void *']),
    channelName: library.func('IOReportChannelGetChannelName', 'void *', ['void *']),
    unitLabel: library.func('IOReportChannelGetUnitLabel', 'void *', ['void *']),
    // The second argument is written as an integer in some headers and as a pointer in others; NULL is right for both.
    integerValue: library.func('IOReportSimpleGetIntegerValue', 'int64', ['void *', 'void *']),
  }
}

function subscribe(
  cf: CoreFoundation,
  library: Functions,
  pool: CfPool,
): Subscription | Unavailable {
  const [group, listKey, rawKey] = [GROUP, 'IOReportChannels', 'RawElements'].map((text) =>
    pool.own(cf.string(text)),
  )
  if (group === undefined || listKey === undefined || rawKey === undefined) {
    return unavailable('failed', 'CoreFoundation made no string')
  }
  const found = pool.own(present(library.copyChannels(group, null, 0, 0, 0)))
  const wanted = found === undefined ? undefined : pool.own(cf.mutableCopy(found))
  if (wanted === undefined) {
    return unavailable('not-supported', `IOReport has no group "${GROUP}" on this machine`)
  }
  const out: Pointer[] = [null]
  const handle = pool.own(present(library.subscribe(null, wanted, out, 0, null)))
  // The library makes this dictionary for the caller, so it is ours to release.
  const subscribed = pool.own(present(out[0]))
  if (handle === undefined) {
    return unavailable('not-supported', `IOReport refused the subscription to "${GROUP}"`)
  }
  return { cf, library, handle, channels: subscribed ?? wanted, listKey, rawKey }
}

function sampleChannels(
  from: Subscription,
  wants: (name: string) => boolean,
): readonly RawChannel[] | Unavailable {
  const { cf, library, handle, channels, listKey } = from
  using pool = createCfPool(cf)
  const sample = pool.own(present(library.createSamples(handle, channels, null)))
  const list = sample === undefined ? undefined : cf.value(sample, listKey)
  if (list === undefined) return unavailable('failed', 'IOReport gave an empty sample')
  const byKey = new Map<string, RawChannel>()
  for (const channel of cf.items(list)) {
    const name = textOf(cf, library.channelName(channel))
    if (name === undefined || !wants(name)) continue
    const raw = rawChannel(from, channel, name)
    // A channel that is listed twice is still one channel.
    byKey.set(raw.key, raw)
  }
  return [...byKey.values()]
}

function rawChannel(from: Subscription, channel: CfRef, name: string): RawChannel {
  const { cf, library, rawKey } = from
  const elements = cf.value(channel, rawKey)
  const u64At = (offset: number) =>
    elements === undefined ? undefined : cf.u64At(elements, offset)
  const value = BigInt(library.integerValue(channel, null))
  return {
    key: `${name}/${u64At(RAW.provider) ?? '-'}/${u64At(RAW.channel) ?? '-'}`,
    name,
    unit: textOf(cf, library.unitLabel(channel)),
    value: value === NO_VALUE ? undefined : value,
    stampTicks: u64At(RAW.stamp),
  }
}

function textOf(cf: CoreFoundation, pointer: Pointer): string | undefined {
  const string = present(pointer)
  return string === undefined ? undefined : cf.text(string)
}
