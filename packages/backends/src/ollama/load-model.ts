import { EnergyBenchError } from '@energy-bench/spec'
import type { ModelResponse, Ollama, ShowResponse } from 'ollama'
import { textAt } from '../server/json-path.js'
import { findModel } from './find-model.js'

/** What Ollama says of a model that is loaded. */
export interface LoadedFacts {
  readonly version: string
  /** From `/api/tags`. */
  readonly model: ModelResponse
  readonly show: ShowResponse
  /** From `/api/ps`, after the load. */
  readonly running: ModelResponse | undefined
}

/** Which model, and how to load it. */
export interface LoadRequest {
  readonly id: string | undefined
  readonly keepAlive: string
  /** Left out: what the server takes. */
  readonly contextTokens: number | undefined
  readonly url: string
}

/** Finds a model, loads it and asks for everything that is known of it. */
export async function loadModel(client: Ollama, request: LoadRequest): Promise<LoadedFacts> {
  const { version } = await client.version()
  const model = await findModel(client, request.id, request.url)
  const show = await client.show({ model: model.name })
  refuseCloud(model.name, show)
  const { keepAlive, contextTokens } = request
  // An empty prompt loads the model and generates nothing.
  await client.generate({
    model: model.name,
    prompt: '',
    keep_alive: keepAlive,
    ...(contextTokens === undefined ? {} : { options: { num_ctx: contextTokens } }),
  })
  const { models } = await client.ps()
  return { version, model, show, running: models.find(({ name }) => name === model.name) }
}

/** A model of the cloud uses energy that no meter here can see. */
function refuseCloud(name: string, show: ShowResponse): void {
  const host = textAt(show, 'remote_host') ?? textAt(show, 'remote_model')
  if (host === undefined) return
  throw new EnergyBenchError('model-invalid', `"${name}" runs in the cloud, at ${host}.`, {
    fix: 'Choose a model that runs on this machine.',
  })
}
