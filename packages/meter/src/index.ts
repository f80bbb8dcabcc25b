export type { DetectedMeter } from './detect-meters.js'
export { detectMeters } from './detect-meters.js'
export type { DeviceFacts } from './device-facts.js'
export type { DeviceWindow } from './device-windows.js'
export { deviceWindows, throttledBetween } from './device-windows.js'
export type { DetectOptions, MeterId } from './drivers/driver.js'
export type { ExportTimelineOptions } from './export-timeline.js'
export { exportTimeline } from './export-timeline.js'
export type {
  Assessment,
  BatteryState,
  ClockGap,
  ClockWatch,
  MeterFlag,
  MeterFlagName,
  Tier,
  TierFacts,
} from './flags/index.js'
export {
  assessReading,
  createClockWatch,
  meterFlagNames,
  readBattery,
  tierOf,
} from './flags/index.js'
export type { CombinedIdle } from './idle/combine-idle.js'
export { combineIdle } from './idle/combine-idle.js'
export type { IdleBaseline, IdleDrift, IdlePower } from './idle/idle-baseline.js'
export type { MeasureIdleOptions } from './idle/measure-idle.js'
export { measureIdle } from './idle/measure-idle.js'
export { netEnergy } from './idle/net-energy.js'
export type { InterruptedLimit } from './knobs/interrupted-limits.js'
export { findInterruptedLimits, restoreInterruptedLimit } from './knobs/interrupted-limits.js'
export type { AppliedClocks, ClockWish } from './knobs/locked-clocks.js'
export { withLockedClocks } from './knobs/locked-clocks.js'
export type { AppliedPowerLimit, PowerLimitOptions } from './knobs/power-limit.js'
export { withPowerLimit } from './knobs/power-limit.js'
export type { MeasuredWork, MeasureEnergyOptions } from './measure-energy.js'
export { measureEnergy } from './measure-energy.js'
export type { NullTest, NullTestOptions } from './null-test.js'
export { nullTest } from './null-test.js'
export type { OpenMeterOptions } from './open-meter.js'
export { openMeter } from './open-meter.js'
export { toPrometheus } from './prometheus.js'
export type { ReplayConfig } from './recording/replay-config.js'
export type { PowerOverTime, SamplePowerOptions } from './sample-power.js'
export { samplePower } from './sample-power.js'
export type { RunsOn } from './scope.js'
export type { Timeline, TimelineOptions } from './timeline/timeline.js'
export { createTimeline } from './timeline/timeline.js'
export type { MethodTotals, TotalEnergy } from './totals.js'
export { countedDomains, primaryMethod, totalByMethod } from './totals.js'
export type { WallConfig, WallKind, WallProbe } from './wall/index.js'
export { parseWallConfig, parseWallUrl, probeWall } from './wall/index.js'
