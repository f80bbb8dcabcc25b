import { textAt } from '../../server/json-path.js'
import { locked, modelsPath, type Recogniser, wantsKey } from '../recogniser.js'
import { recogniseByOwner } from './owned-models.js'

const open = recogniseByOwner({ kind: 'vllm', owner: 'vllm', versionPaths: ['/version'] })

/**
 * vLLM, by its name beside each model. With a key set it guards `/v1` alone, so `/version` still answers.
 * Source: vLLM 0.32 documentation.
 */
export const recogniseVllm: Recogniser = async (probe) => {
  if (!wantsKey(await probe.get(modelsPath))) return open(probe)
  const version = textAt((await probe.get('/version')).body, 'version')
  return version === undefined ? undefined : locked('vllm', version)
}
