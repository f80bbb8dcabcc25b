import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { OpenZone } from './open-zones.js'

const UDEV_RULE =
  'SUBSYSTEM=="powercap", ACTION=="add", KERNEL=="*-rapl*:*", RUN+="/bin/chmod a+r /sys%p/energy_uj"'

/** Why none of `zones` can be read, with the one command that opens `all`; undefined when one can be read. */
export function whyDenied(
  zones: readonly OpenZone[],
  all: readonly OpenZone[],
): Unavailable | undefined {
  const problems = zones.map((zone) => zone.energy).filter(isUnavailable)
  const first = problems[0]
  if (first === undefined || problems.length < zones.length) return undefined
  return first.reason === 'permission-denied' ? denied(all, first) : first
}

/** The same problem with the command and the udev rule that end it. */
export function denied(zones: readonly OpenZone[], problem: Unavailable): Unavailable {
  const paths = zones
    .filter((zone) => isUnavailable(zone.energy))
    .map((zone) => `${zone.path}/energy_uj`)
  return unavailable(
    'permission-denied',
    problem.detail,
    `Run: sudo chmod a+r ${paths.join(' ')} (until the next boot). To keep it, put this line into /etc/udev/rules.d/70-rapl.rules: ${UDEV_RULE}`,
  )
}
