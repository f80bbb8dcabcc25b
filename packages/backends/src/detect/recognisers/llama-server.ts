import { unknown } from '@energy-bench/spec'
import { at, textAt } from '../../server/json-path.js'
import type { EngineFacts } from '../detected-engine.js'
import type { Probe, ProbeAnswer } from '../probe.js'
import {
  isOwnedBy,
  locked,
  modelEntries,
  modelMissing,
  modelsPath,
  namesOf,
  type Recogniser,
  wantsKey,
} from '../recogniser.js'

/** llama.cpp's own server: every answer of it, also an error, carries `server: llama.cpp`. Source: llama.cpp v0.4.0. */
export const recogniseLlamaServer: Recogniser = async (probe) => {
  const models = await probe.get(modelsPath)
  if (models.server !== 'llama.cpp' && !isOwnedBy(models, 'llamacpp')) return undefined
  if (models.status === 503) return stillLoading(probe)
  if (wantsKey(models)) return locked('llama-server', unknown('/props wants an API key'))
  return describe(probe, models)
}

async function describe(probe: Probe, models: ProbeAnswer): Promise<EngineFacts> {
  const { body: props } = await probe.get('/props')
  const entries = modelEntries(models) ?? []
  const available = namesOf(entries)
  return {
    kind: 'llama-server',
    version: textAt(props, 'build_info') ?? unknown('/props has no build_info'),
    modelsAvailable: available,
    modelsLoaded: loadedOf(entries, props),
    missing:
      available.length > 0
        ? []
        : modelMissing('it knows no model', 'llama-server -m MODEL.gguf --port PORT'),
  }
}

/** A server that sleeps has put its model away; a router says the state of each of its models. */
function loadedOf(entries: readonly unknown[], props: unknown): readonly string[] {
  if (at(props, 'is_sleeping') === true) return []
  if (textAt(props, 'role') !== 'router') return namesOf(entries)
  return namesOf(entries.filter((entry) => textAt(entry, 'status', 'value') === 'loaded'))
}

function stillLoading({ baseUrl }: Probe): EngineFacts {
  const detail = 'it still loads its model'
  const loading = unknown(detail)
  const fix = `Wait until this succeeds: curl --fail ${baseUrl}/health`
  return {
    kind: 'llama-server',
    version: loading,
    modelsAvailable: loading,
    modelsLoaded: [],
    missing: [{ what: 'readiness', detail, fix }],
  }
}
