export {
  connectEngine,
  createLlamaCpp,
  createOpenAI,
  detectEngines,
} from '@energy-bench/backends'
export { measureIdle, openMeter } from '@energy-bench/meter'
export { findReferenceModel, referenceModels } from '@energy-bench/reference-model'
export type {
  Backend,
  EnergyReading,
  ErrorCode,
  GenerateEvent,
  GenerateRequest,
  LoadedModel,
  Meter,
  Score,
  Task,
} from '@energy-bench/spec'
export { EnergyBenchError, isEnergyBenchError, isUnavailable, isUnknown } from '@energy-bench/spec'
export type { CellReport, MeasureEvent, MeasureOptions } from '@energy-bench/sweep'
export { measure, openJournal, parseCellReport, readJournal } from '@energy-bench/sweep'
export { createCoreTask, defineTask, prepareTask } from '@energy-bench/tasks'
export type { QuickOptions } from './quick/options.js'
export { parseQuickReport, type QuickReport } from './quick/report.js'
