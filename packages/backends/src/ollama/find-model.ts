import { EnergyBenchError } from '@energy-bench/spec'
import type { ModelResponse, Ollama } from 'ollama'

/** Finds a model among those that are on the disk; nothing is ever pulled. Without a wish it takes the only one. */
export async function findModel(
  client: Ollama,
  wanted: string | undefined,
  url: string,
): Promise<ModelResponse> {
  const { models } = await client.list()
  if (wanted === undefined) return onlyOne(models, url)
  const found = models.find(({ name }) => name === wanted || name === `${wanted}:latest`)
  if (found !== undefined) return found
  throw new EnergyBenchError('model-missing', `Ollama at ${url} has no model "${wanted}".`, {
    fix: `Run: ollama pull ${wanted}`,
  })
}

function onlyOne(models: readonly ModelResponse[], url: string): ModelResponse {
  const [model] = models
  if (model !== undefined && models.length === 1) return model
  const fix =
    model === undefined
      ? 'Pull one, for example: ollama pull qwen3:8b'
      : `Choose one of: ${models.map(({ name }) => name).join(', ')}.`
  const message = `Ollama at ${url} has ${models.length} models and none was chosen.`
  throw new EnergyBenchError('model-missing', message, { fix })
}
