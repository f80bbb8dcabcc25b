import { unknown } from '@energy-bench/spec'
import { numberAt, textAt } from '../../server/json-path.js'
import { keyMissing, modelsPath, type Recogniser, wantsKey } from '../recogniser.js'

/** Text Generation Inference, by `/info`; a server for embeddings has one too, but without a limit of all tokens. */
export const recogniseTgi: Recogniser = async (probe) => {
  const { body } = await probe.get('/info')
  const model = textAt(body, 'model_id')
  if (model === undefined || numberAt(body, 'max_total_tokens') === undefined) return undefined
  return {
    kind: 'tgi',
    version: textAt(body, 'version') ?? unknown('/info tells none'),
    modelsAvailable: [model],
    modelsLoaded: [model],
    missing: wantsKey(await probe.get(modelsPath)) ? [keyMissing] : [],
  }
}
