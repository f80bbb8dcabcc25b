import type { EnergyDomain } from '@energy-bench/spec'
import type { TimelineOptions } from '../timeline/timeline.js'
import type { Gpu } from './gpu.js'
import { powerKinds } from './power-kind.js'

/** Options of a power timeline, with how its samples came about. */
interface PowerTimelineOptions extends TimelineOptions {
  readonly detail: string
}

/** The two readings of a GPU. They share a sensor: two methods, not two instruments. */
export function domainsOf(gpu: Gpu): readonly EnergyDomain[] {
  const common = { kind: 'gpu', deviceId: gpu.uuid } as const
  return [
    {
      ...common,
      id: gpu.counterId,
      method: 'counter',
      label: `${gpu.name}, energy counter`,
      note: sentences(counterNotes(gpu)),
    },
    {
      ...common,
      id: gpu.powerId,
      method: 'integrated-power',
      label: `${gpu.name}, power integrated`,
      note: sentences(powerNotes(gpu)),
    },
  ]
}

/** How the samples of the two readings are to be read. */
export function timelinesOf(gpu: Gpu): readonly (readonly [string, TimelineOptions])[] {
  const { maxPowerW } = gpu
  const { averagingS, detail } = powerKinds[gpu.power.kind]
  const power: PowerTimelineOptions = {
    method: 'integrated-power',
    type: 'power',
    maxPowerW,
    averagingS,
    detail,
  }
  return [
    [gpu.counterId, { method: 'counter', type: 'tick', maxPowerW }],
    [gpu.powerId, power],
  ]
}

function counterNotes(gpu: Gpu): readonly string[] {
  const scope = gpu.isSuperchip
    ? 'The whole module as its driver counts it, GPU, CPU and memory (NVML total energy): do not add the CPU again'
    : 'The whole board as its driver counts it (NVML total energy)'
  const forgets =
    gpu.device.isPersistent() === false
      ? ['Persistence mode is off: the counter starts anew when the last user of the GPU ends']
      : []
  return [scope, ...forgets, ...commonNotes(gpu)]
}

function powerNotes(gpu: Gpu): readonly string[] {
  const { kind } = gpu.power
  const sensor =
    gpu.isSuperchip && kind !== 'module'
      ? 'the GPU alone, so that it is less than the counter'
      : 'the same sensor as the counter'
  return [`${powerKinds[kind].note}; ${sensor}`, ...commonNotes(gpu)]
}

const VIRTUAL_GPU = 2

function commonNotes(gpu: Gpu): readonly string[] {
  return [
    ...(gpu.device.isMig() === true ? ['The whole GPU, shared by all its MIG slices'] : []),
    ...(gpu.device.virtualizationMode() === VIRTUAL_GPU
      ? ['A virtual GPU: other machines may share the board']
      : []),
  ]
}

function sentences(parts: readonly string[]): string {
  return parts.map((part) => `${part}.`).join(' ')
}
