import type { Backend, ChatMessage, ModelRef } from '@energy-bench/spec'
import { cancellationChecks } from './cancellation-checks.js'
import { type CheckBody, type CheckContext, withinTime } from './check-context.js'
import { concurrencyChecks } from './concurrency-checks.js'
import { countChecks } from './count-checks.js'
import { engineChecks } from './engine-checks.js'
import { lifetimeChecks } from './lifetime-checks.js'
import { limitChecks } from './limit-checks.js'
import { outputChecks } from './output-checks.js'
import { stopChecks } from './stop-checks.js'

/** Which backend is tested, and with what. */
export interface BackendContractOptions {
  /** Makes a fresh backend; every check opens and disposes its own. */
  readonly create: () => Backend | Promise<Backend>
  /** A model that can be loaded and answers with eight tokens or more. */
  readonly model: ModelRef
  /** A model that cannot be loaded. Default: made from `model`. */
  readonly unknownModel?: ModelRef
  /** Default: one question of arithmetic. */
  readonly messages?: readonly ChatMessage[]
  /** Limit of a generation, tokens. Default 8. */
  readonly maxOutputTokens?: number
  /** Limit of a generation that shall come to the end of its answer, tokens. Default 64. */
  readonly answerTokens?: number
  /** Generations that run at once in the checks of concurrency. Default 2. */
  readonly concurrency?: number
  /** Limit of one check, seconds. Default 60. */
  readonly timeoutS?: number
}

/** One promise that every backend keeps. Works as a test in any runner: `test(check.name, check.run)`. */
export interface ContractCheck {
  readonly name: string
  /** Rejects when the promise is broken; resolves at once when the backend does not claim the ability. */
  run(): Promise<void>
}

/**
 * All checks of a backend, one promise each.
 *
 * @example
 * for (const check of backendContract({ create, model })) test(check.name, check.run)
 */
export function backendContract(options: BackendContractOptions): readonly ContractCheck[] {
  const context = contextOf(options)
  const timeoutS = options.timeoutS ?? 60
  return Object.entries(checkBodies).map(([name, body]) => ({
    name,
    run: () => withinTime(timeoutS, () => body(context)),
  }))
}

const checkBodies: Readonly<Record<string, CheckBody>> = {
  ...engineChecks,
  ...outputChecks,
  ...limitChecks,
  ...stopChecks,
  ...countChecks,
  ...concurrencyChecks,
  ...cancellationChecks,
  ...lifetimeChecks,
}

function contextOf(options: BackendContractOptions): CheckContext {
  const { model } = options
  const unknownModel =
    model.path === undefined ? { id: 'no-such-model' } : { path: `${model.path}.no` }
  return {
    create: async () => options.create(),
    model,
    unknownModel: options.unknownModel ?? unknownModel,
    request: {
      messages: options.messages ?? [{ role: 'user', content: 'What is 347 + 86?' }],
      maxOutputTokens: options.maxOutputTokens ?? 8,
      temperature: 0,
      seed: 1,
    },
    answerTokens: options.answerTokens ?? 64,
    concurrency: options.concurrency ?? 2,
  }
}
