export type { LlamaCppOptions } from './create-llama-cpp.js'
export { createLlamaCpp } from './create-llama-cpp.js'
