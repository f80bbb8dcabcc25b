import type { DetectedEngine } from '@energy-bench/backends/detect'
import { isUnknown } from '@energy-bench/spec'

/** One model of one engine, as `--url` takes it. */
export interface EngineModel {
  readonly engine: DetectedEngine
  readonly model: string
  /** Base URL, `#`, and the name of the model. */
  readonly url: string
}

/** What to measure when the user names nothing. */
export type EngineChoice =
  | { readonly type: 'one'; readonly chosen: EngineModel; readonly isLoaded: boolean }
  | { readonly type: 'several'; readonly candidates: readonly EngineModel[] }
  | { readonly type: 'none' }

/** An engine that was found and is not taken, and why. */
export interface PassedOver {
  readonly engine: DetectedEngine
  readonly why: string
  readonly fix: string
}

/**
 * Chooses the only model that can be meant: of every engine that can answer, what is in memory, else what it has. More
 * than one is for the user to decide.
 */
export function chooseEngine(engines: readonly DetectedEngine[]): EngineChoice {
  const candidates = engines
    .filter((engine) => whyNot(engine) === undefined)
    .flatMap((engine) => modelsOf(engine).map((model) => candidate(engine, model)))
  const [first, second] = candidates
  if (first === undefined) return { type: 'none' }
  if (second !== undefined) return { type: 'several', candidates }
  return { type: 'one', chosen: first, isLoaded: loadedOf(first.engine).includes(first.model) }
}

/** The engines that `chooseEngine` leaves out. */
export function passedOver(engines: readonly DetectedEngine[]): readonly PassedOver[] {
  return engines.flatMap((engine) => whyNot(engine) ?? [])
}

function whyNot(engine: DetectedEngine): PassedOver | undefined {
  const { missing, kind, isLocal, baseUrl } = engine
  const [first] = missing
  const fix = `To measure it: --url ${baseUrl}`
  if (first !== undefined) return { engine, why: first.detail, fix: first.fix }
  if (!isLocal) {
    return { engine, why: 'it is on another machine, whose energy no meter here sees', fix }
  }
  if (kind !== 'openai') return undefined
  return { engine, why: 'it may hand its requests on to another machine', fix }
}

function modelsOf(engine: DetectedEngine): readonly string[] {
  const loaded = loadedOf(engine)
  if (loaded.length > 0) return loaded
  return isUnknown(engine.modelsAvailable) ? [] : engine.modelsAvailable
}

function loadedOf({ modelsLoaded }: DetectedEngine): readonly string[] {
  return isUnknown(modelsLoaded) ? [] : modelsLoaded
}

function candidate(engine: DetectedEngine, model: string): EngineModel {
  return { engine, model, url: `${engine.baseUrl}#${model}` }
}
