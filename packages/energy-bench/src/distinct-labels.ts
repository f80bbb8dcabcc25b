import type { EnergyDomain } from '@energy-bench/spec'

/** Labels of domains by id. Where several devices share one, the number of the device in the list stands before it. */
export function distinctLabels(domains: readonly EnergyDomain[]): ReadonlyMap<string, string> {
  const devices = [...new Set(domains.map(({ deviceId }) => deviceId))]
  const isShared = (label: string) => domains.filter((domain) => domain.label === label).length > 1
  return new Map(
    domains.map(({ id, label, deviceId }) => [
      id,
      isShared(label) ? `${devices.indexOf(deviceId) + 1}: ${label}` : label,
    ]),
  )
}
