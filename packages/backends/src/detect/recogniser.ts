import { type Fact, unknown } from '@energy-bench/spec'
import { at, textAt } from '../server/json-path.js'
import type { EngineFacts, EngineKind, MissingPiece } from './detected-engine.js'
import type { Probe, ProbeAnswer } from './probe.js'

/** Looks whether an address is one kind of engine, by routes that only read; undefined when it is not. */
export type Recogniser = (probe: Probe) => Promise<EngineFacts | undefined>

/** The route that nearly every engine has. */
export const modelsPath = '/v1/models'

/** Entries of an OpenAI list of models, undefined for anything else. */
export function modelEntries({ status, body }: ProbeAnswer): readonly unknown[] | undefined {
  const data = at(body, 'data')
  return status === 200 && Array.isArray(data) ? data : undefined
}

/** Names in a list of entries, by the key that holds them. */
export function namesOf(entries: readonly unknown[], key = 'id'): readonly string[] {
  return entries.flatMap((entry) => textAt(entry, key) ?? [])
}

/** True when an entry says that this engine owns the model. */
export function isOwnedBy(answer: ProbeAnswer, owner: string): boolean {
  return modelEntries(answer)?.some((entry) => textAt(entry, 'owned_by') === owner) ?? false
}

/** True for an answer that wants a key first. */
export function wantsKey({ status }: ProbeAnswer): boolean {
  return status === 401 || status === 403
}

/** What to do about a key; the same for every engine. */
export const keyMissing: MissingPiece = {
  what: 'api-key',
  detail: 'it wants an API key',
  fix: 'Pass the key of the server as apiKey; on the command line set ENERGY_BENCH_API_KEY.',
}

/** An engine that shows nothing of its models before it gets a key. */
export function locked(kind: EngineKind, version: Fact<string>): EngineFacts {
  const reason = unknown('it wants an API key')
  return { kind, version, modelsAvailable: reason, modelsLoaded: reason, missing: [keyMissing] }
}

/** No model, and the command that brings one. */
export function modelMissing(detail: string, fix: string): readonly MissingPiece[] {
  return [{ what: 'model', detail, fix }]
}
