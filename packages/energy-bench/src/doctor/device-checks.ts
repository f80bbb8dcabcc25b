import type { DeviceFacts } from '@energy-bench/meter'
import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { DoctorCheck } from './doctor.js'

const GIB = 2 ** 30
/** Limits are told in whole watts by some drivers. */
const LIMIT_TOLERANCE_W = 1

/** Says of each GPU what it is, how it is set, and whether it counts its energy. Facts that no driver tells are left out. */
export function deviceChecks(devices: readonly DeviceFacts[]): DoctorCheck[] {
  return devices
    .filter(({ kind }) => kind === 'gpu')
    .map((device) => {
      const fix = fixFor(device)
      return {
        name: `GPU ${device.name}`,
        status: fix === undefined ? 'ok' : 'warning',
        detail: [identity(device), limits(device), modes(device), counter(device)]
          .filter((line) => line !== '')
          .join('\n'),
        ...(fix === undefined ? {} : { fix }),
      }
    })
}

function identity(device: DeviceFacts): string {
  return listed([
    device.id,
    told(device.driver, (driver) => `driver ${driver}`),
    told(device.cuda, (cuda) => `CUDA ${cuda}`),
    told(device.busId, (busId) => `bus ${busId}`),
    told(device.architecture, (name) => name),
    told(device.memoryBytes, (bytes) => `${(bytes / GIB).toFixed(0)} GiB`),
  ])
}

function limits({ powerLimitW, powerLimitDefaultW, powerLimitRangeW }: DeviceFacts): string {
  const now = told(powerLimitW, (watts) => `power limit ${watts} W`)
  const others = [
    told(powerLimitDefaultW, (watts) => `factory ${watts} W`),
    told(powerLimitRangeW, ([leastW, mostW]) => `can be set from ${leastW} to ${mostW} W`),
  ].filter((text) => text !== undefined)
  if (now === undefined && others.length === 0) return 'power limit not told by the driver'
  return `${now ?? 'power limit now not told'}${others.length === 0 ? '' : ` (${others.join(', ')})`}`
}

function modes(device: DeviceFacts): string {
  return listed([
    told(device.isEcc, (isOn) => `ECC ${onOrOff(isOn)}`),
    told(device.isMig, (isOn) =>
      isOn ? 'MIG on (energy is of the whole GPU, never of a slice)' : 'MIG off',
    ),
    told(device.isPersistent, (isOn) => `persistence mode ${onOrOff(isOn)}`),
    told(device.virtualization, (mode) =>
      mode === 'none' ? undefined : `virtualization: ${mode}`,
    ),
  ])
}

function counter({ counter: state }: DeviceFacts): string {
  return isUnavailable(state)
    ? `no energy counter (${state.reason}: ${state.detail})`
    : 'energy counter: yes'
}

function fixFor({
  isPersistent,
  powerLimitW,
  powerLimitDefaultW,
}: DeviceFacts): string | undefined {
  if (isPersistent === false)
    return 'Turn persistence mode on (sudo nvidia-smi -pm 1): without it the counter starts anew when the last user of the GPU ends.'
  if (powerLimitW === undefined || isUnavailable(powerLimitW)) return undefined
  if (isUnavailable(powerLimitDefaultW)) return undefined
  return Math.abs(powerLimitW - powerLimitDefaultW) > LIMIT_TOLERANCE_W
    ? 'The power limit is not the one of the factory: set it back, or quote it with each figure.'
    : undefined
}

function told<Value>(
  value: Value | Unavailable | undefined,
  text: (value: Value) => string | undefined,
): string | undefined {
  return value === undefined || isUnavailable(value) ? undefined : text(value)
}

function listed(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(', ')
}

function onOrOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}
