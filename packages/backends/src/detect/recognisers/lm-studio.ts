import { unknown } from '@energy-bench/spec'
import { at, textAt } from '../../server/json-path.js'
import type { EngineFacts, MissingPiece } from '../detected-engine.js'
import {
  locked,
  modelEntries,
  modelMissing,
  modelsPath,
  namesOf,
  type Recogniser,
  wantsKey,
} from '../recogniser.js'

/** Part of what it answers without a key. */
const keyText = 'LM Studio API token'
const version = unknown('LM Studio tells its version only with an answer')

/**
 * LM Studio, by its own lists of models: v1, and v0 of releases before 0.4. It answers 200 to every path, so only a body
 * of the right form counts. Source: docs of LM Studio (lmstudio-ai/docs, 2026-04).
 */
export const recogniseLmStudio: Recogniser = async (probe) => {
  const openAi = await probe.get(modelsPath)
  if (wantsKey(openAi))
    return openAi.text.includes(keyText) ? locked('lm-studio', version) : undefined
  const { body } = await probe.get('/api/v1/models')
  const models = at(body, 'models')
  if (Array.isArray(models)) return fromV1(models)
  const entries = modelEntries(await probe.get('/api/v0/models'))
  return entries?.every((entry) => textAt(entry, 'state') !== undefined)
    ? fromV0(entries)
    : undefined
}

function fromV1(models: readonly unknown[]): EngineFacts | undefined {
  const chat = models.filter((model) => textAt(model, 'type') !== 'embedding')
  if (namesOf(chat, 'key').length < chat.length) return undefined
  const loaded = chat.filter((model) => at(model, 'loaded_instances', 0) !== undefined)
  return facts(namesOf(chat, 'key'), namesOf(loaded, 'key'))
}

function fromV0(entries: readonly unknown[]): EngineFacts {
  const chat = entries.filter((entry) => textAt(entry, 'type') !== 'embeddings')
  const loaded = chat.filter((entry) => textAt(entry, 'state') === 'loaded')
  return facts(namesOf(chat), namesOf(loaded))
}

function facts(available: readonly string[], loaded: readonly string[]): EngineFacts {
  return {
    kind: 'lm-studio',
    version,
    modelsAvailable: available,
    modelsLoaded: loaded,
    missing: missingOf(available, loaded),
  }
}

/** A model that is loaded by the first request may be unloaded in the middle of a run, so it shall be loaded before. */
function missingOf(
  available: readonly string[],
  loaded: readonly string[],
): readonly MissingPiece[] {
  const first = available[0]
  if (first === undefined) return modelMissing('it has no model', 'lms get NAME')
  return loaded.length > 0 ? [] : modelMissing('none of its models is loaded', `lms load ${first}`)
}
