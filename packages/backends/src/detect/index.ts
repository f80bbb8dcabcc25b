export type { DetectEnginesOptions } from './detect-engines.js'
export { detectEngines } from './detect-engines.js'
export type { DetectedEngine, EngineKind, MissingPiece } from './detected-engine.js'
