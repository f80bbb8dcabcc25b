export type {
  Backend,
  BackendInfo,
  BackendSupports,
  ChatMessage,
  EngineTimings,
  FinishReason,
  GenerateEnd,
  GenerateEvent,
  GenerateRequest,
  LoadedModel,
  LoadOptions,
  ModelRef,
  SamplingSettings,
  Thinking,
  ThinkingReport,
  TokenCounts,
} from './backend.js'
export type { DeviceInfo, DeviceState } from './device.js'
export type {
  DomainEnergy,
  DomainSample,
  EnergyDomain,
  EnergyMethod,
  EnergyReading,
  EnergySource,
  MeasuredEnergy,
  Meter,
  MeterRemark,
  PowerSample,
  SourceSample,
  TimelinePoint,
} from './energy.js'
export type { EnergyBenchErrorOptions, ErrorCode } from './errors.js'
export { EnergyBenchError, isEnergyBenchError } from './errors.js'
export type { ItemOutcome, Score, Task, TaskItem } from './task.js'
export type { Fact, Unavailable, UnavailableReason, Unknown } from './unavailable.js'
export { isUnavailable, isUnknown, unavailable, unknown } from './unavailable.js'
