import { type EnergySource, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { factsOf } from '../device-facts.js'
import type { SourceSpec } from '../polling/polled-source.js'
import type { DriverFound } from './driver.js'

/** Opens a source to see that it opens, closes it, and says what it has. */
export async function trySource(
  opening: Promise<EnergySource | Unavailable>,
  spec: SourceSpec,
): Promise<DriverFound | Unavailable> {
  const opened = await opening
  if (isUnavailable(opened)) return opened
  await using source = opened
  const devices = source.devices.map((device) => device.name).join(', ')
  const labels = source.domains.map((domain) => domain.label).join(', ')
  return {
    status: 'available',
    detail: `${devices}: ${labels}`,
    specs: [spec],
    devices: factsOf(source),
  }
}
