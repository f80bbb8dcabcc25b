import process from 'node:process'
import { type AddressOptions, addressesOf } from './addresses.js'
import type { DetectedEngine } from './detected-engine.js'
import { type LookOptions, lookAt } from './look-at.js'

/** Where to look for engines, and for how long. */
export interface DetectEnginesOptions extends AddressOptions, LookOptions {
  /** Lists also what answers and is no engine, as `unrecognised`. */
  readonly verbose?: boolean
}

/**
 * Looks at the usual local ports, all at once, and says which engines answer, which models they have, and what is missing.
 * It only reads: it never pulls or loads a model. Rejects only with the reason of `signal`.
 *
 * @example
 * for (const engine of await detectEngines()) print(engine.kind, engine.baseUrl, engine.modelsLoaded)
 */
export async function detectEngines(
  options: DetectEnginesOptions = {},
): Promise<readonly DetectedEngine[]> {
  options.signal?.throwIfAborted()
  const addresses = addressesOf({ ollamaHost: process.env.OLLAMA_HOST, ...options })
  const found = await Promise.all(addresses.map((address) => lookAt(address, options)))
  options.signal?.throwIfAborted()
  const isWanted = ({ kind }: DetectedEngine) => options.verbose || kind !== 'unrecognised'
  return found.flatMap((engine) => (engine !== undefined && isWanted(engine) ? [engine] : []))
}
