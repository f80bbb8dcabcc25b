export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { VllmOptions } from './create-vllm.js'
export { createVllm } from './create-vllm.js'
