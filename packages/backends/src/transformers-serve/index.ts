export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { TransformersServeOptions } from './create-transformers-serve.js'
export { createTransformersServe } from './create-transformers-serve.js'
