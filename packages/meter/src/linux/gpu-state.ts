import {
  type DeviceInfo,
  type DeviceState,
  isUnavailable,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { type PciGpu, whyAsleep } from './pci-gpus.js'
import { readNumber, type SysFiles } from './sysfs.js'

/** Files that hold facts about a GPU, with what a number in them is multiplied by; left out where there is none. */
export interface GpuFiles {
  readonly temperature?: ScaledFile
  readonly clock?: ScaledFile
  readonly memoryClock?: ScaledFile
  readonly power?: ScaledFile
  readonly powerLimit?: ScaledFile
  readonly powerLimitDefault?: ScaledFile
  readonly memoryBytes?: ScaledFile
}

/** `value x scale` is in the unit of the field (C, Hz, W, bytes). */
export interface ScaledFile {
  readonly path: string
  readonly scale: number
}

/** Id of a GPU: its UUID where the kernel knows one, else its bus address. */
export function gpuId(gpu: PciGpu): string {
  return gpu.aliases[0]?.replace('gpu-', 'GPU-') ?? gpu.bdf
}

/** Describes a GPU; a suspended one is not asked. */
export function describeGpu(
  files: SysFiles,
  gpu: PciGpu,
  at: { readonly name: string; readonly facts: GpuFiles },
): DeviceInfo {
  const read = readerOf(files, gpu)
  return {
    id: gpuId(gpu),
    kind: 'gpu',
    name: at.name,
    driver: gpu.driver,
    memoryBytes: read(at.facts.memoryBytes),
    powerLimitW: limit(read(at.facts.powerLimit)),
    powerLimitDefaultW: limit(read(at.facts.powerLimitDefault)),
  }
}

/** What a GPU says of itself at `timeS`; a suspended one is not asked. */
export function gpuState(
  files: SysFiles,
  gpu: PciGpu,
  at: { readonly timeS: number; readonly facts: GpuFiles },
): DeviceState {
  const read = readerOf(files, gpu)
  return {
    deviceId: gpuId(gpu),
    timeS: at.timeS,
    powerW: read(at.facts.power),
    temperatureC: read(at.facts.temperature),
    clockHz: read(at.facts.clock),
    memoryClockHz: read(at.facts.memoryClock),
    powerLimitW: limit(read(at.facts.powerLimit)),
    throttleReasons: unavailable('not-supported', 'the files of the driver do not say it'),
    processIds: unavailable('not-supported', 'the files of the driver do not say it'),
  }
}

function readerOf(
  files: SysFiles,
  gpu: PciGpu,
): (file: ScaledFile | undefined) => number | Unavailable {
  const asleep = whyAsleep(files, gpu)
  return (file) => {
    if (file === undefined) return unavailable('not-supported', 'the driver has no file for it')
    if (asleep !== undefined) return asleep
    const value = readNumber(files, file.path)
    return isUnavailable(value) ? value : value * file.scale
  }
}

/** Drivers write 0 for a limit that is switched off. */
function limit(valueW: number | Unavailable): number | Unavailable {
  if (isUnavailable(valueW) || valueW > 0) return valueW
  return unavailable('not-supported', 'no power limit is set')
}
