import { type BackendInfo, type Fact, type SamplingSettings, unknown } from '@energy-bench/spec'
import type { ModelResponse } from 'ollama'
import type { Server } from '../server/create-server-backend.js'
import { numberAt } from '../server/json-path.js'
import { localProcess } from '../server/local-facts.js'
import { hashText } from '../shared/hash-text.js'
import type { LoadedFacts } from './load-model.js'
import { findRunnerProcess } from './runner-process.js'

/** What this package decides about the model. */
export interface Decided {
  readonly sampling: SamplingSettings
  readonly cachePrompt: boolean
}

/** Describes what really runs, by what Ollama says of itself. */
export async function describeModel(
  { address }: Server,
  { version, model, show, running }: LoadedFacts,
  { sampling, cachePrompt }: Decided,
): Promise<BackendInfo> {
  const inGpuRatio = gpuRatioOf(running)
  return {
    engine: 'Ollama',
    engineVersion: version,
    model: model.name,
    modelDigest: weightsDigestOf(show.modelfile),
    quantization: model.details.quantization_level || unknown('/api/tags has no quantization'),
    contextTokens: contextTokensOf(running) ?? unknown('/api/ps has no context_length'),
    slots: unknown('Ollama does not tell its OLLAMA_NUM_PARALLEL'),
    threads: unknown('Ollama does not tell its threads'),
    ...placeOf(inGpuRatio),
    processId: await findRunnerProcess(await localProcess(address)),
    promptCache: cachePrompt ? 'on' : 'off',
    chatTemplateDigest: show.template
      ? hashText(show.template)
      : unknown('/api/show has no template'),
    samplingApplied: sampling,
    settings: {
      baseUrl: address.rootUrl,
      manifestDigest: model.digest,
      ...(inGpuRatio === undefined ? {} : { gpuMemoryRatio: inGpuRatio }),
      ...(cachePrompt ? {} : { cacheAvoidance: 'unique prefix' }),
    },
  }
}

/** Context that the runner has allocated, tokens; the types of the client do not know the field. */
export function contextTokensOf(running: unknown): number | undefined {
  return numberAt(running, 'context_length')
}

/** The Modelfile begins with the path of the weights, whose name is their digest. */
function weightsDigestOf(modelfile: string): Fact<string> {
  const hex = /^FROM\s.*sha256-([0-9a-f]{64})\s*$/m.exec(modelfile)?.[1]
  return hex === undefined ? unknown('the Modelfile names no blob of weights') : `sha256:${hex}`
}

function gpuRatioOf(running: ModelResponse | undefined): number | undefined {
  if (running === undefined || running.size <= 0) return undefined
  return running.size_vram / running.size
}

function placeOf(inGpuRatio: number | undefined): Pick<BackendInfo, 'gpuLayers' | 'deviceUuids'> {
  if (inGpuRatio === 0) return { gpuLayers: 0, deviceUuids: [] }
  return {
    gpuLayers: unknown('Ollama tells the share of the model in GPU memory, not its layers'),
    deviceUuids: unknown('Ollama does not tell its devices'),
  }
}
