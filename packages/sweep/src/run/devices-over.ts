import { type DeviceWindow, deviceWindows } from '@energy-bench/meter'
import type { DeviceState, Meter } from '@energy-bench/spec'
import type { DeviceWindowRecord } from '../report/types.js'

/** What the devices said of themselves at both ends of a window, as a record keeps it; nothing where none does. */
export function devicesOver(
  meter: Meter,
  window: { readonly startS: number; readonly endS: number },
): { readonly devices?: readonly DeviceWindowRecord[] } {
  const devices = deviceWindows(meter, window).map(toRecord)
  return devices.length === 0 ? {} : { devices }
}

function toRecord({ deviceId, start, end, throttledS }: DeviceWindow): DeviceWindowRecord {
  return { deviceId, start: edgeOf(start), end: edgeOf(end), throttledS }
}

/** Counters are kept as their gain over the window, and processes once for the whole run. */
function edgeOf({ deviceId: _, throttledS: __, processIds: ___, ...edge }: DeviceState) {
  return edge
}
