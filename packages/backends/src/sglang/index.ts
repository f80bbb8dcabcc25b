export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { SglangOptions } from './create-sglang.js'
export { createSglang } from './create-sglang.js'
