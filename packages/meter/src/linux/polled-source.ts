import {
  type DeviceInfo,
  type DeviceState,
  type DomainSample,
  type EnergyDomain,
  type EnergyMethod,
  type EnergySource,
  unavailable,
} from '@energy-bench/spec'

/** How the samples of a domain are to be read; plain data. */
export interface DomainTiming {
  readonly method: EnergyMethod
  /** `tick`: only changes carry a time. `steady`: true when read. `power`: to be integrated. */
  readonly type: 'tick' | 'steady' | 'power'
  /** Power above this is not believed, watts. */
  readonly maxPowerW: number
  /** Step of the number that the device gives, joules. */
  readonly resolutionJ?: number
}

/** A source that also says how it is to be polled. */
export interface LinuxSource extends EnergySource {
  readonly pacing: { readonly type: 'steady'; readonly intervalS: number }
  /** One entry a domain. */
  readonly timelines: Readonly<Record<string, DomainTiming>>
  /** With a longer time between two polls a counter could wrap unseen, seconds. */
  readonly maxPollIntervalS: number
}

/** One domain with its reader. `read` never throws. */
export interface Channel {
  readonly domain: EnergyDomain
  readonly timing: DomainTiming
  /** `timeS` is the monotonic time of the read. */
  read(timeS: number): DomainSample
  close(): void
}

/** What a source is put together from. */
export interface SourceParts {
  readonly id: string
  readonly channels: readonly Channel[]
  readonly devices: readonly DeviceInfo[]
  readonly maxPollIntervalS: number
  /** Monotonic seconds. */
  readonly now: () => number
  readStates(timeS: number): readonly DeviceState[]
  close(): void
}

const INTERVAL_S = 0.05
const STATE_INTERVAL_S = 1
const CLOSED = unavailable('failed', 'the source is closed')

/** Makes a source that reads all channels on each poll, and the states of the devices once a second. */
export function createLinuxSource(parts: SourceParts): LinuxSource {
  const { channels, now } = parts
  let isOpen = true
  let stateDueS = Number.NEGATIVE_INFINITY
  return {
    id: parts.id,
    domains: channels.map((channel) => channel.domain),
    devices: parts.devices,
    pacing: { type: 'steady', intervalS: INTERVAL_S },
    timelines: Object.fromEntries(channels.map(({ domain, timing }) => [domain.id, timing])),
    maxPollIntervalS: parts.maxPollIntervalS,
    async sample() {
      const startS = now()
      const domains = Object.fromEntries(
        channels.map((channel) => [channel.domain.id, isOpen ? channel.read(now()) : CLOSED]),
      )
      const endS = now()
      if (!isOpen || endS < stateDueS) return { startS, endS, domains }
      stateDueS = endS + STATE_INTERVAL_S
      return { startS, endS, domains, states: parts.readStates(endS) }
    },
    async [Symbol.asyncDispose]() {
      if (!isOpen) return
      isOpen = false
      for (const channel of channels) channel.close()
      parts.close()
    },
  }
}
