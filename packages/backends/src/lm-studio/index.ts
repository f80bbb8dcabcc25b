export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { LmStudioOptions } from './create-lm-studio.js'
export { createLmStudio } from './create-lm-studio.js'
