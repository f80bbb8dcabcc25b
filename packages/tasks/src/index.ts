export {
  type CoreDraft,
  type CoreFamily,
  type CoreItem,
  coreFamilies,
  type Level,
} from './core/item.js'
export {
  type CoreItemsOptions,
  coreItems,
  coreItemsPerFamilyLimit,
  coreSeed,
} from './core/items.js'
export { createPythonRandom, type PythonRandom } from './core/python-random.js'
export { type CoreExample, createCoreTask } from './core/task.js'
export { defineTask, type ScoreResult, type TaskDefinition } from './define-task.js'
export { digestItems } from './digest.js'
export { type PrepareTaskOptions, prepareTask } from './prepare-task.js'
export { stripThinking } from './strip-thinking.js'
