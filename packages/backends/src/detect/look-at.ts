import { unknown } from '@energy-bench/spec'
import { findListeningProcess } from '../server/listening-process.js'
import { parseServerAddress } from '../server/server-address.js'
import { type DetectedEngine, type EngineFacts, engineNames } from './detected-engine.js'
import { createProbe, type Probe, type ProbeAnswer } from './probe.js'
import { modelsPath } from './recogniser.js'
import { recognisers } from './recognisers.js'

/** How to look at an address, and for how long. */
export interface LookOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Sent to every address that is looked at. */
  readonly apiKey?: string
  /** Seconds for all requests to one address together. Default 1.5. */
  readonly timeoutS?: number
  readonly signal?: AbortSignal
}

/** Says what answers at an address; undefined when nothing listens there. Never rejects. */
export async function lookAt(
  baseUrl: string,
  options: LookOptions,
): Promise<DetectedEngine | undefined> {
  const deadline = AbortSignal.timeout((options.timeoutS ?? 1.5) * 1000)
  const probe = createProbe(baseUrl, {
    fetch: options.fetch ?? globalThis.fetch,
    apiKey: options.apiKey,
    signal: options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]),
  })
  const first = await probe.get(modelsPath)
  if (isNobody(first)) return undefined
  const facts = await recognise(probe, first)
  const { port, isLocal } = parseServerAddress(baseUrl)
  const processId = isLocal
    ? await findListeningProcess(port)
    : unknown('the server runs on another machine')
  return { ...facts, name: engineNames[facts.kind], baseUrl, isLocal, processId }
}

function isNobody({ problem }: ProbeAnswer): boolean {
  return problem !== undefined && /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND/.test(problem)
}

async function recognise(probe: Probe, first: ProbeAnswer): Promise<EngineFacts> {
  if (first.problem !== undefined) return unrecognised(first.problem)
  for (const recogniser of recognisers) {
    const facts = await recogniser(probe)
    if (facts !== undefined) return facts
  }
  if (probe.isOver()) return unrecognised('it stops answering after its first answer')
  const type = first.contentType === '' ? 'no content type' : first.contentType
  return unrecognised(`${modelsPath} answers HTTP ${first.status} with ${type}`)
}

function unrecognised(detail: string): EngineFacts {
  const reason = unknown(detail)
  return {
    kind: 'unrecognised',
    version: reason,
    modelsAvailable: reason,
    modelsLoaded: reason,
    missing: [
      { what: 'engine', detail, fix: 'If it is an engine, name it with its URL and its API key.' },
    ],
  }
}
