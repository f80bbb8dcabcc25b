import { type DomainSample, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { createCounter, MAX_POWER_W } from '../linux/counter.js'
import { gpuId } from '../linux/gpu-state.js'
import { type PciGpu, whyAsleep } from '../linux/pci-gpus.js'
import type { Channel } from '../linux/polled-source.js'
import type { SysFiles } from '../linux/sysfs.js'
import type { AmdSmiGpu } from './binding.js'
import { createCounterCheck } from './counter-check.js'
import type { HwmonPower } from './hwmon.js'

/** One GPU with the ways to read it that there are. */
export interface AmdGpu {
  readonly pci: PciGpu
  readonly hwmon: HwmonPower | Unavailable
  readonly smi: AmdSmiGpu | Unavailable
}

/** Step of the counter, joules. */
const RESOLUTION_J = 15.3e-6

/** The channels of one GPU: its power, and its counter where the library shows one. */
export function createChannels(files: SysFiles, gpu: AmdGpu): readonly Channel[] {
  const check = createCounterCheck()
  const power = powerReader(files, gpu)
  const seen = (timeS: number): number | Unavailable => {
    const powerW = power(timeS)
    check.addPower(powerW, timeS)
    return powerW
  }
  const channels = [powerChannel(gpu, seen)]
  if (isUnavailable(gpu.smi)) return channels
  const { smi } = gpu
  const counter = createCounter()
  const read = (timeS: number): DomainSample => {
    const asleep = whyAsleep(files, gpu.pci)
    if (asleep !== undefined) return asleep
    const energyUj = smi.energyUj()
    return isUnavailable(energyUj) ? energyUj : check.judge(counter.add(energyUj, timeS))
  }
  return [...channels, counterChannel(gpu, read)]
}

/** The file of the kernel before the library: it costs less and is not rounded to whole watts. */
function powerReader(files: SysFiles, gpu: AmdGpu): (timeS: number) => number | Unavailable {
  const { hwmon, smi } = gpu
  return () => {
    const asleep = whyAsleep(files, gpu.pci)
    if (asleep !== undefined) return asleep
    const powerW = isUnavailable(hwmon) ? hwmon : hwmon.read()
    return isUnavailable(powerW) && !isUnavailable(smi) ? smi.powerW() : powerW
  }
}

function powerChannel(gpu: AmdGpu, power: (timeS: number) => number | Unavailable): Channel {
  const deviceId = gpuId(gpu.pci)
  const { hwmon } = gpu
  return {
    domain: {
      id: `amd:${deviceId}:power`,
      kind: 'gpu',
      method: 'integrated-power',
      label: `AMD GPU ${gpu.pci.bdf}, power integrated`,
      deviceId,
      note: 'The power that amdgpu or AMD SMI reports; depending on the card that of the chip or of the board, of built-in graphics that of the whole processor, which RAPL counts too.',
    },
    timing: { method: 'integrated-power', type: 'power', maxPowerW: MAX_POWER_W },
    read(timeS) {
      const powerW = power(timeS)
      return isUnavailable(powerW) ? powerW : { type: 'power', samples: [{ timeS, powerW }] }
    },
    close() {
      if (!isUnavailable(hwmon)) hwmon.close()
    },
  }
}

function counterChannel(gpu: AmdGpu, read: (timeS: number) => DomainSample): Channel {
  const deviceId = gpuId(gpu.pci)
  return {
    domain: {
      id: `amd:${deviceId}:counter`,
      kind: 'gpu',
      method: 'counter',
      label: `AMD GPU ${gpu.pci.bdf}, energy counter`,
      deviceId,
      note: 'The energy accumulator of AMD SMI, believed while it agrees with the power within a factor of 10.',
    },
    timing: {
      method: 'counter',
      type: 'tick',
      maxPowerW: MAX_POWER_W,
      resolutionJ: RESOLUTION_J,
    },
    read,
    close() {},
  }
}
