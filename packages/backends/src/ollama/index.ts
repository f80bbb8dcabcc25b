export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { OllamaOptions } from './create-ollama.js'
export { createOllama } from './create-ollama.js'
