import { unknown } from '@energy-bench/spec'
import { at, textAt } from '../../server/json-path.js'
import { modelMissing, namesOf, type Recogniser } from '../recogniser.js'

/**
 * Ollama: its root says so in words, which servers that only copy its API do not. Models in the cloud are left out, since
 * no meter here sees their energy. Source: docs.ollama.com, Ollama 0.33.
 */
export const recogniseOllama: Recogniser = async (probe) => {
  const root = await probe.get('/')
  if (!root.text.startsWith('Ollama is running')) return undefined
  const [version, tags, running] = await Promise.all(
    ['/api/version', '/api/tags', '/api/ps'].map((path) => probe.get(path)),
  )
  const available = namesOf(localModels(tags?.body), 'name')
  return {
    kind: 'ollama',
    version: textAt(version?.body, 'version') ?? unknown('/api/version tells none'),
    modelsAvailable: available,
    modelsLoaded: namesOf(localModels(running?.body), 'name'),
    missing:
      available.length > 0
        ? []
        : modelMissing('it has no model on this machine', 'ollama pull NAME'),
  }
}

function localModels(body: unknown): readonly unknown[] {
  const models = at(body, 'models')
  const all = Array.isArray(models) ? models : []
  return all.filter((model) => textAt(model, 'remote_host') === undefined)
}
