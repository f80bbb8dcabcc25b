import { unknown } from '@energy-bench/spec'
import { textAt } from '../../server/json-path.js'
import type { EngineKind } from '../detected-engine.js'
import { isOwnedBy, modelEntries, modelsPath, namesOf, type Recogniser } from '../recogniser.js'

/** An engine that serves what it was started with, and writes its own name beside each model. */
interface OwnedModels {
  readonly kind: EngineKind
  readonly owner: string
  /** Routes that may tell the version, newest first. */
  readonly versionPaths: readonly string[]
}

/** Recognises an engine by `owned_by` in `/v1/models`. Its models are all in memory. */
export function recogniseByOwner({ kind, owner, versionPaths }: OwnedModels): Recogniser {
  return async (probe) => {
    const models = await probe.get(modelsPath)
    if (!isOwnedBy(models, owner)) return undefined
    const names = namesOf(modelEntries(models) ?? [])
    const answers = await Promise.all(versionPaths.map((path) => probe.get(path)))
    const version = answers.flatMap(({ body }) => textAt(body, 'version') ?? [])[0]
    return {
      kind,
      version: version ?? unknown(`${versionPaths.join(' and ')} tell none`),
      modelsAvailable: names,
      modelsLoaded: names,
      missing: [],
    }
  }
}
