import { isUnavailable } from '@energy-bench/spec'
import { listNames, nodeFiles, readText, type SysFiles } from '../linux/sysfs.js'

/** An NVIDIA GPU as the kernel lists it; finding it does not wake it. */
export interface KernelGpu {
  /** For example `0000:65:00.0`. */
  readonly busId: string
  readonly isSuspended: boolean
  /** As far as the driver has told them. */
  readonly uuid?: string
  readonly name?: string
}

/** Where the kernel lists devices. */
export interface KernelRoots {
  readonly sysRoot?: string
  readonly procRoot?: string
  readonly files?: SysFiles
}

const NVIDIA = '0x10de'
/** Class of display controllers, VGA and 3D. */
const DISPLAY = /^0x03/

/** Lists the NVIDIA GPUs by bus address, suspended ones with what the driver remembers of them. */
export function listKernelGpus(roots: KernelRoots = {}): readonly KernelGpu[] {
  const { sysRoot = '/sys', procRoot = '/proc', files = nodeFiles } = roots
  const parent = `${sysRoot}/bus/pci/devices`
  return listNames(files, parent)
    .filter((busId) => readText(files, `${parent}/${busId}/vendor`) === NVIDIA)
    .filter((busId) => isDisplay(files, `${parent}/${busId}/class`))
    .map((busId) => {
      const status = readText(files, `${parent}/${busId}/power/runtime_status`)
      const isSuspended = status === 'suspended' || status === 'suspending'
      const about = readText(files, `${procRoot}/driver/nvidia/gpus/${busId}/information`)
      return { busId, isSuspended, ...(isUnavailable(about) ? {} : remembered(about)) }
    })
}

function isDisplay(files: SysFiles, path: string): boolean {
  const kind = readText(files, path)
  return !isUnavailable(kind) && DISPLAY.test(kind)
}

/** The UUID reads `GPU-????????-...` until the GPU was used once. */
function remembered(about: string): Pick<KernelGpu, 'uuid' | 'name'> {
  const uuid = /^GPU UUID:\s*(GPU-[0-9a-f-]+)$/m.exec(about)?.[1]
  const name = /^Model:\s*(.+)$/m.exec(about)?.[1]
  return {
    ...(uuid === undefined ? {} : { uuid }),
    ...(name === undefined ? {} : { name }),
  }
}
