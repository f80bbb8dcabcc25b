import { type DomainSample, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { createCounter, MAX_POWER_W } from '../linux/counter.js'
import { gpuId } from '../linux/gpu-state.js'
import { type PciGpu, whyAsleep } from '../linux/pci-gpus.js'
import type { Channel } from '../linux/polled-source.js'
import type { SysFiles } from '../linux/sysfs.js'
import { findWhole, type PowerScope, type ScopedCounter } from './power-domains.js'

/** One counter with its reader, from a file or from Level Zero. */
export interface GpuCounter extends ScopedCounter {
  /** Unique within the GPU, for example `card`. */
  readonly name: string
  readonly via: 'hwmon' | 'level-zero'
  /** Since some moment in the past, microjoules. */
  energyUj(): number | Unavailable
  close(): void
}

const NOTES: Readonly<Record<PowerScope, string>> = {
  card: 'The whole card.',
  package:
    'The package of the GPU: where it stands alone, fans and voltage regulators are not in it.',
  stack: 'One stack of the package.',
  memory: 'The memory of the card.',
  gpu: 'The GPU chip.',
  unknown: 'The driver does not say whether this is the card or only the chip.',
}
/** The counter of i915 steps by 2^-14 J. */
const RESOLUTION_J = 61e-6

/** The channels of one GPU. All but the widest counter are part of it, so that a total counts the GPU once. */
export function createChannels(
  files: SysFiles,
  gpu: PciGpu,
  counters: readonly GpuCounter[],
): readonly Channel[] {
  const whole = findWhole(counters)
  return counters.map((counter) => createChannel(files, gpu, { counter, whole }))
}

function createChannel(
  files: SysFiles,
  gpu: PciGpu,
  from: { readonly counter: GpuCounter; readonly whole: GpuCounter | undefined },
): Channel {
  const { counter, whole } = from
  const unwrapped = createCounter()
  const deviceId = gpuId(gpu)
  const idOf = (other: GpuCounter): string => `intel:${deviceId}:${other.name}`
  return {
    domain: {
      id: idOf(counter),
      kind: 'gpu',
      method: 'counter',
      label: `Intel GPU ${gpu.bdf}, ${counter.name} energy counter`,
      deviceId,
      ...(whole === undefined || whole === counter ? {} : { partOf: idOf(whole) }),
      note: `${NOTES[counter.scope]} Read by ${counter.via}.`,
    },
    timing: {
      method: 'counter',
      type: 'tick',
      maxPowerW: MAX_POWER_W,
      resolutionJ: RESOLUTION_J,
    },
    read(timeS): DomainSample {
      const asleep = whyAsleep(files, gpu)
      if (asleep !== undefined) return asleep
      const energyUj = counter.energyUj()
      return isUnavailable(energyUj) ? energyUj : unwrapped.add(energyUj, timeS)
    },
    close: () => counter.close(),
  }
}
