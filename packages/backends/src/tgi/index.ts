export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { TgiOptions } from './create-tgi.js'
export { createTgi } from './create-tgi.js'
