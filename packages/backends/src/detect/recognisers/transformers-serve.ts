import { unknown } from '@energy-bench/spec'
import { at } from '../../server/json-path.js'
import { modelEntries, modelMissing, modelsPath, namesOf, type Recogniser } from '../recogniser.js'

/**
 * `transformers serve`, by the routes that its OpenAPI description lists: no other engine here has `/load_model` beside
 * the OpenAI ones. The list of models is the cache. Source: transformers 5, src/transformers/cli/serving/server.py.
 */
export const recogniseTransformersServe: Recogniser = async (probe) => {
  const entries = modelEntries(await probe.get(modelsPath))
  if (entries === undefined) return undefined
  const { body } = await probe.get('/openapi.json')
  const routes = at(body, 'paths')
  if (['/load_model', '/v1/responses'].some((route) => at(routes, route) === undefined)) {
    return undefined
  }
  const available = namesOf(entries)
  return {
    kind: 'transformers-serve',
    version: unknown('transformers serve does not tell its version'),
    modelsAvailable: available,
    modelsLoaded: unknown('transformers serve does not tell what is in memory'),
    missing: available.length > 0 ? [] : modelMissing('its cache has no model', 'hf download NAME'),
  }
}
