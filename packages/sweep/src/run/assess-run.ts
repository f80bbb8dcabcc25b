import {
  assessReading,
  type ClockWatch,
  combineIdle,
  type MeterFlag,
  readBattery,
} from '@energy-bench/meter'
import { isUnknown } from '@energy-bench/spec'
import type { Run } from './create-run.js'

/** What the meter finds to say about the whole stretch of this session, from its first item to its last. */
export async function assessRun(run: Run, clocks: ClockWatch): Promise<readonly MeterFlag[]> {
  const { plan, gathered } = run
  const { window } = gathered
  if (window === null) return []
  clocks.sample()
  const { meter, model, session } = plan
  const { before, after } = gathered.idle.get(session) ?? { before: null, after: null }
  const battery = await readBattery()
  const { processId } = model.info
  return assessReading({
    reading: await meter.energyBetween(window.startS, window.endS),
    domains: meter.domains,
    devices: meter.devices,
    states: meter.statesBetween(window.startS, window.endS),
    clocks: clocks.between(window.startS, window.endS),
    ownProcessIds: [process.pid, ...(isUnknown(processId) ? [] : [processId])],
    ...(before === null || after === null ? {} : { idle: combineIdle(before, after) }),
    ...(battery === undefined ? {} : { battery }),
  })
}
