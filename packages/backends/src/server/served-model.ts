import { EnergyBenchError } from '@energy-bench/spec'
import type { HttpClient } from './http-client.js'
import { at, textAt } from './json-path.js'

/** A model as the server lists it. */
export interface ServedModel {
  /** Name that requests must use. */
  readonly id: string
  /** Its entry in `/v1/models`, as it came. */
  readonly entry: unknown
}

/** Finds the wanted model in `/v1/models`; without a wish it takes the only one. */
export async function findServedModel(
  client: HttpClient,
  wanted: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ServedModel> {
  const entries = listOf(at(await client.read('/v1/models', signal), 'data'))
  if (entries.length === 0) throw noModels(client.rootUrl)
  const match =
    wanted === undefined ? onlyOne(entries) : entries.find((one) => names(one).includes(wanted))
  const id = textAt(match, 'id')
  if (id === undefined) throw notServed(wanted, entries.flatMap(names))
  return { id, entry: match }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function onlyOne(entries: readonly unknown[]): unknown {
  return entries.length === 1 ? entries[0] : undefined
}

function names(entry: unknown): string[] {
  const all = [at(entry, 'id'), ...listOf(at(entry, 'aliases'))]
  return [...new Set(all.filter((name) => typeof name === 'string'))]
}

function noModels(url: string): EnergyBenchError {
  return new EnergyBenchError('model-missing', `${url}/v1/models lists no model.`, {
    fix: 'Load a model in the engine, or check that baseUrl is an OpenAI-compatible server.',
  })
}

function notServed(wanted: string | undefined, served: readonly string[]): EnergyBenchError {
  const message =
    wanted === undefined
      ? `The server has ${served.length} models and none was chosen.`
      : `The server does not serve the model "${wanted}".`
  return new EnergyBenchError('model-missing', message, {
    fix: `Choose one of: ${served.join(', ')}.`,
  })
}
