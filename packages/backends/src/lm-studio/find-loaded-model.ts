import { EnergyBenchError } from '@energy-bench/spec'
import type { Server, WantedModel } from '../server/create-server-backend.js'
import { at, textAt } from '../server/json-path.js'

/** A model of LM Studio that is in memory. */
export interface LoadedLmStudioModel {
  readonly id: string
  /** Its entry in `/api/v1/models`, as it came. */
  readonly entry: unknown
  /** Settings of the loaded instance. */
  readonly config: unknown
  readonly canThink: boolean
}

/** Finds a model in `/api/v1/models`, and loads it where no instance of it is in memory. */
export async function findLoadedModel(
  server: Server,
  id: string,
  wanted: WantedModel,
): Promise<LoadedLmStudioModel> {
  const found = await findEntry(server, id, wanted.signal)
  if (instanceOf(found) !== undefined) return loadedOf(id, found)
  const { contextTokens, signal } = wanted
  const context = contextTokens === undefined ? {} : { context_length: contextTokens }
  await server.http.post('/api/v1/models/load', { model: id, ...context }, signal)
  return loadedOf(id, await findEntry(server, id, signal))
}

async function findEntry(
  { http }: Server,
  id: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const models = at(await http.read('/api/v1/models', signal), 'models')
  const entries: readonly unknown[] = Array.isArray(models) ? models : []
  const entry = entries.find((one) => namesOf(one).includes(id))
  if (entry !== undefined) return entry
  throw new EnergyBenchError('model-missing', `LM Studio does not list the model "${id}".`, {
    fix: `Run: lms get ${id}`,
  })
}

function namesOf(entry: unknown): readonly unknown[] {
  const instances = at(entry, 'loaded_instances')
  const ids = Array.isArray(instances) ? instances.map((one) => at(one, 'id')) : []
  return [textAt(entry, 'key'), ...ids]
}

function instanceOf(entry: unknown): unknown {
  return at(entry, 'loaded_instances', 0)
}

function loadedOf(id: string, entry: unknown): LoadedLmStudioModel {
  return {
    id,
    entry,
    config: at(instanceOf(entry), 'config'),
    canThink: at(entry, 'capabilities', 'reasoning') != null,
  }
}
