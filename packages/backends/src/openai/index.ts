export type { OpenAIOptions } from './create-openai.js'
export { createOpenAI } from './create-openai.js'
