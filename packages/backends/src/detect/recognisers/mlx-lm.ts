import { unknown } from '@energy-bench/spec'
import { modelEntries, modelMissing, modelsPath, namesOf, type Recogniser } from '../recogniser.js'

/**
 * mlx_lm.server: Python's plain HTTP server with an OpenAI list of models that nobody owns. The list is the model cache;
 * a request loads the model that it names. Source: mlx-lm d78bf58.
 */
export const recogniseMlxLm: Recogniser = async (probe) => {
  const models = await probe.get(modelsPath)
  const entries = modelEntries(models)
  if (entries === undefined || !models.server.startsWith('BaseHTTP/')) return undefined
  if (entries.some((entry) => typeof entry === 'object' && entry !== null && 'owned_by' in entry)) {
    return undefined
  }
  const available = namesOf(entries)
  return {
    kind: 'mlx-lm',
    version: unknown('mlx_lm.server tells its version only with an answer'),
    modelsAvailable: available,
    modelsLoaded: unknown('mlx_lm.server does not tell what is in memory'),
    missing: available.length > 0 ? [] : modelMissing('its cache has no model', 'hf download NAME'),
  }
}
