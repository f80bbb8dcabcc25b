export { type CellSettings, cellKey } from './cell-key.js'
export { type Environment, realEnvironment } from './environment.js'
export { journalLine } from './journal/journal-line.js'
export type { JournalLine } from './journal/lines.js'
export { type Journal, openJournal } from './journal/open-journal.js'
export { type JournalContent, readJournal } from './journal/read-journal.js'
export { measure } from './measure.js'
export { openMeterFor } from './open-meter-for.js'
export type { MeasureOptions } from './options.js'
export { parseCellReport } from './report/parse-report.js'
export { cellReportSchema } from './report/schema.js'
export type {
  Accuracy,
  Both,
  CellReport,
  CellReportData,
  DeviceSummary,
  Energy,
  EnergyPerCorrect,
  HonestyFlag,
  HostInfo,
  Idle,
  ItemRecord,
  Loading,
  MeasureSettings,
  Power,
  Readings,
  Repetition,
  Spread,
} from './report/types.js'
export type { MeasureEvent, Progress } from './run/events.js'
export { saveJson } from './save-json.js'
