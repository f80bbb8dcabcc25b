import { exchange } from './fixtures.js'
import type { Route, Routes } from './route-server.js'

const created = 1_796_050_171
const llamaHeaders = { server: 'llama.cpp' }
const uvicorn = { server: 'uvicorn' }

function recorded(name: string): Route {
  const { status, body } = exchange(name).response
  return { json: body, status }
}

function list(...data: readonly object[]): Route {
  return { json: { object: 'list', data } }
}

/** Recorded from llama-server, see the fixtures. */
export const llamaServer: Routes = {
  headers: llamaHeaders,
  routes: {
    '/v1/models': recorded('models'),
    '/props': recorded('props'),
    '/health': recorded('health-ready'),
  },
}

/** Recorded from llama-server, see the fixtures: until it is ready, every path answers so. */
export const loadingLlamaServer: Routes = {
  headers: llamaHeaders,
  routes: {},
  fallback: recorded('health-loading'),
}

/** Source of llama.cpp v0.4.0, tools/server/server-http.cpp. */
export const lockedLlamaServer: Routes = {
  headers: llamaHeaders,
  routes: { '/health': recorded('health-ready') },
  fallback: {
    json: { error: { message: 'Invalid API Key', type: 'authentication_error', code: 401 } },
    status: 401,
  },
}

/** Router mode: documentation of llama.cpp v0.4.0, tools/server/README.md and server-models.cpp. */
export const llamaRouter: Routes = {
  headers: llamaHeaders,
  routes: {
    '/v1/models': list(
      { id: 'a', owned_by: 'llamacpp', status: { value: 'unloaded' } },
      { id: 'b', owned_by: 'llamacpp', status: { value: 'loaded' } },
    ),
    '/props': { json: { role: 'router', build_info: 'b1-80fb11a', model_path: 'none' } },
  },
}

const ollamaModel = (name: string, more: object = {}) => ({
  name,
  model: name,
  size: 5_200_000_000,
  digest: 'a'.repeat(64),
  details: { format: 'gguf', family: 'qwen3', quantization_level: 'Q4_K_M' },
  ...more,
})

/** Ollama 0.33: docs.ollama.com, api/types.go. */
export function ollama(available: readonly string[], loaded: readonly string[] = []): Routes {
  return {
    routes: {
      '/': { text: 'Ollama is running', headers: { 'content-type': 'text/plain; charset=utf-8' } },
      '/api/version': { json: { version: '0.33.0' } },
      '/api/tags': { json: { models: available.map((name) => ollamaModel(name)) } },
      '/api/ps': { json: { models: loaded.map((name) => ollamaModel(name, { size_vram: 0 })) } },
      '/v1/models': list(...available.map((id) => ({ id, object: 'model', owned_by: 'library' }))),
    },
    fallback: {
      text: '404 page not found',
      status: 404,
      headers: { 'content-type': 'text/plain' },
    },
  }
}

/** Ollama with a model that runs on another company's machines. */
export const cloudOllama: Routes = {
  routes: {
    ...ollama([]).routes,
    '/api/tags': {
      json: {
        models: [
          ollamaModel('big-cloud', {
            remote_model: 'big',
            remote_host: 'https://ollama.com:443',
          }),
        ],
      },
    },
    '/v1/models': list({ id: 'big-cloud', object: 'model', owned_by: 'library' }),
  },
}

const lmStudioElsewhere: Route = {
  json: { error: 'Unexpected endpoint or method. (GET /elsewhere)' },
}

const lmStudioModel = (key: string, isLoaded: boolean, type = 'llm') => ({
  type,
  key,
  architecture: 'qwen3',
  quantization: { name: 'Q4_K_M', bits_per_weight: 4 },
  loaded_instances: isLoaded ? [{ id: key, config: { context_length: 4096 } }] : [],
  format: 'gguf',
})

/** LM Studio 0.4: docs of lmstudio-ai, 2026-04. It answers 200 to every path. */
export function lmStudio(models: Readonly<Record<string, boolean>>): Routes {
  const entries = Object.entries(models)
  return {
    routes: {
      '/v1/models': list(
        ...entries.map(([id]) => ({ id, object: 'model', owned_by: 'organization_owner' })),
      ),
      '/api/v1/models': {
        json: {
          models: [
            ...entries.map(([key, isLoaded]) => lmStudioModel(key, isLoaded)),
            lmStudioModel('text-embedding-nomic', false, 'embedding'),
          ],
        },
      },
    },
    fallback: lmStudioElsewhere,
  }
}

/** LM Studio before 0.4, with the v0 routes alone: docs of lmstudio-ai, REST API v0. */
export const oldLmStudio: Routes = {
  routes: {
    '/v1/models': list({ id: 'qwen3-4b', object: 'model', owned_by: 'organization_owner' }),
    '/api/v0/models': list(
      { id: 'qwen3-4b', object: 'model', type: 'llm', state: 'loaded', quantization: 'Q4_K_M' },
      { id: 'gemma-3', object: 'model', type: 'vlm', state: 'not-loaded', quantization: 'Q4_0' },
      { id: 'nomic', object: 'model', type: 'embeddings', state: 'not-loaded' },
    ),
  },
  fallback: lmStudioElsewhere,
}

/** LM Studio 0.4 with authentication switched on. */
export const lockedLmStudio: Routes = {
  routes: {},
  fallback: {
    json: {
      error: {
        message: 'An LM Studio API token is required to make requests to this server',
        code: 'invalid_api_key',
      },
    },
    status: 401,
  },
}

/** vLLM 0.32 documentation. */
export const vllm: Routes = {
  headers: uvicorn,
  routes: {
    '/v1/models': list({
      id: 'Qwen/Qwen3-8B',
      object: 'model',
      created,
      owned_by: 'vllm',
      root: 'Qwen/Qwen3-8B',
      parent: null,
      max_model_len: 40_960,
    }),
    '/version': { json: { version: '0.32.0' } },
  },
}

/** vLLM started with --api-key guards the paths under /v1 alone. */
export const lockedVllm: Routes = {
  headers: uvicorn,
  routes: {
    '/v1/models': { json: { error: 'Unauthorized' }, status: 401 },
    '/version': { json: { version: '0.32.0' } },
  },
}

/** SGLang: python/sglang/srt/entrypoints/openai/protocol.py and the native API documentation, 2026. */
export function sglang(infoPath: string): Routes {
  return {
    headers: uvicorn,
    routes: {
      '/v1/models': list({
        id: 'qwen/qwen2.5-0.5b-instruct',
        object: 'model',
        created,
        owned_by: 'sglang',
        max_model_len: 32_768,
      }),
      [infoPath]: { json: { version: '0.5.9', context_length: 32_768, internal_states: [{}] } },
    },
  }
}

/** TensorRT-LLM 1.4.0rc4: openai_protocol.py. */
export const tensorRtLlm: Routes = {
  headers: uvicorn,
  routes: {
    '/v1/models': list({ id: 'TinyLlama', object: 'model', created, owned_by: 'tensorrt_llm' }),
    '/version': { json: { version: '1.4.0rc4' } },
  },
}

/** Text Generation Inference, router/src of db931fcf. */
export const tgi: Routes = {
  routes: {
    '/v1/models': list({ id: 'bigscience/bloom', object: 'model', owned_by: 'bigscience/bloom' }),
    '/info': {
      json: {
        model_id: 'bigscience/bloom',
        model_sha: 'e985a63cdc139290c5f700ff1929f0b5942cced2',
        max_input_tokens: 1024,
        max_total_tokens: 2048,
        version: '3.3.6',
        sha: null,
        docker_label: null,
        router: 'text-generation-router',
      },
    },
  },
}

/** mlx_lm.server, mlx_lm/server.py of mlx-lm d78bf58. */
export function mlxLm(...models: readonly string[]): Routes {
  return {
    headers: { server: 'BaseHTTP/0.6 Python/3.12.4' },
    routes: {
      '/v1/models': list(...models.map((id) => ({ id, object: 'model', created }))),
      '/health': { json: { status: 'ok' } },
    },
    fallback: { text: 'Not Found', status: 404 },
  }
}

/** transformers serve 5, src/transformers/cli/serving/server.py. */
export const transformersServe: Routes = {
  headers: uvicorn,
  routes: {
    '/v1/models': list({ id: 'Qwen/Qwen3-0.6B', object: 'model', created, owned_by: 'Qwen' }),
    '/openapi.json': {
      json: {
        openapi: '3.1.0',
        info: { title: 'FastAPI', version: '0.1.0' },
        paths: {
          '/v1/chat/completions': {},
          '/v1/responses': {},
          '/v1/audio/transcriptions': {},
          '/load_model': {},
          '/reset': {},
          '/v1/models': {},
          '/health': {},
        },
      },
    },
  },
}

/** Any other server with the OpenAI API. */
export const plainOpenAi: Routes = {
  routes: { '/v1/models': list({ id: 'tiny', object: 'model', owned_by: 'me' }) },
}
