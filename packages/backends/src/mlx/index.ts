export type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
export type { MlxOptions } from './create-mlx.js'
export { createMlx } from './create-mlx.js'
