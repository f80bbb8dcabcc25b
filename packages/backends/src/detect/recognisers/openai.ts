import { unknown } from '@energy-bench/spec'
import { modelEntries, modelMissing, modelsPath, namesOf, type Recogniser } from '../recogniser.js'

/** Anything else that lists models as OpenAI does. */
export const recogniseOpenAi: Recogniser = async (probe) => {
  const entries = modelEntries(await probe.get(modelsPath))
  if (entries === undefined) return undefined
  const available = namesOf(entries)
  if (available.length < entries.length) return undefined
  return {
    kind: 'openai',
    version: unknown('the OpenAI API does not tell it'),
    modelsAvailable: available,
    modelsLoaded: unknown('the OpenAI API does not tell it'),
    missing:
      available.length > 0 ? [] : modelMissing('it lists no model', 'Load a model in the server.'),
  }
}
