import { countedDomains } from '@energy-bench/meter'
import { isUnavailable } from '@energy-bench/spec'
import type { Run } from '../run/create-run.js'
import type { CellFigures } from './assemble-report.js'
import type { Facts } from './facts.js'
import type { CellReportData, Energy, Readings } from './types.js'

const agreement = 0.05
/** A wall plug also counts power supply, memory and fans: it reads the same as the device, up to about twice as much. */
const wallRange = { least: 0.95, most: 2 }
/** A plug of 1 Hz is read this often, seconds: the way to it and back takes some time too. */
const wallSpacingS = 1.5

/**
 * Measurement tier: A when counter, integration and a wall reading of 1 Hz or faster agree, B when two of them do, C for
 * one device reading, D for an estimate, null without any. A and B also need three repetitions and no honesty flag.
 */
export function tierOf(
  { run, method }: Facts,
  { readings, honesty }: CellFigures & Pick<CellReportData, 'honesty'>,
): CellReportData['tier'] {
  if (method === null || isUnavailable(readings[method])) return null
  if (method === 'model') return 'D'
  if (run.plan.settings.repetitions < 3 || honesty.length > 0) return 'C'
  const devicesAgree = readings.driftRatio !== null && Math.abs(readings.driftRatio) <= agreement
  const wall = wallAgrees(readings)
  if (devicesAgree && wall && isWallQuick(run)) return 'A'
  return devicesAgree || wall ? 'B' : 'C'
}

function wallAgrees({ wall, counter, ...others }: Readings): boolean {
  const device = netOf(counter) ?? netOf(others['integrated-power'])
  const atWall = netOf(wall)
  if (device === null || atWall === null || device.energyJ === 0) return false
  const ratio = atWall.energyJ / device.energyJ
  return ratio >= wallRange.least && ratio <= wallRange.most
}

/** Whether each plug that counts gave a value at 1 Hz while this session worked; one that is not known to does not. */
function isWallQuick({ plan, gathered }: Run): boolean {
  const { meter } = plan
  const { window } = gathered
  if (window === null || meter.pointsBetween === undefined) return false
  const points = meter.pointsBetween(window.startS, window.endS)
  const leastPoints = (window.endS - window.startS) / wallSpacingS
  return countedDomains(meter.domains)
    .filter((domain) => domain.method === 'wall')
    .every(({ id }) => (points[id]?.length ?? 0) >= leastPoints)
}

function netOf(reading: Readings['wall']): Energy | null {
  if (isUnavailable(reading)) return null
  return isUnavailable(reading.netJ) ? null : reading.netJ
}
