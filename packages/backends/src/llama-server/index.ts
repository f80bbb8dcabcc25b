export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { LlamaServerOptions } from './create-llama-server.js'
export { createLlamaServer } from './create-llama-server.js'
