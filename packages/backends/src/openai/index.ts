export type { ServerOptions } from '../server/server-options.js'
export type { OpenAIOptions } from './create-openai.js'
export { createOpenAI } from './create-openai.js'
