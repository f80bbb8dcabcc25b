import type { Recogniser } from './recogniser.js'
import { recogniseLlamaServer } from './recognisers/llama-server.js'
import { recogniseLmStudio } from './recognisers/lm-studio.js'
import { recogniseMlxLm } from './recognisers/mlx-lm.js'
import { recogniseOllama } from './recognisers/ollama.js'
import { recogniseOpenAi } from './recognisers/openai.js'
import { recogniseByOwner } from './recognisers/owned-models.js'
import { recogniseTgi } from './recognisers/tgi.js'
import { recogniseTransformersServe } from './recognisers/transformers-serve.js'
import { recogniseVllm } from './recognisers/vllm.js'

/**
 * Every engine that is known here; the first that recognises an address has it. Those that need only `/v1/models` come
 * first, so that few addresses are asked much. None asks `/health`, which makes SGLang generate a token, or `/metrics`,
 * which empties a queue of TensorRT-LLM.
 */
export const recognisers: readonly Recogniser[] = [
  recogniseLlamaServer,
  recogniseVllm,
  recogniseByOwner({
    kind: 'sglang',
    owner: 'sglang',
    versionPaths: ['/server_info', '/get_server_info'],
  }),
  recogniseByOwner({ kind: 'tensorrt-llm', owner: 'tensorrt_llm', versionPaths: ['/version'] }),
  recogniseMlxLm,
  recogniseOllama,
  recogniseLmStudio,
  recogniseTgi,
  recogniseTransformersServe,
  recogniseOpenAi,
]
