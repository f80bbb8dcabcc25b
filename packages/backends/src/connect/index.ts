export type { ConnectEngineOptions } from './connect-engine.js'
export { connectEngine } from './connect-engine.js'
