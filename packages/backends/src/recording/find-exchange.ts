import { isDeepStrictEqual } from 'node:util'
import { EnergyBenchError } from '@energy-bench/spec'
import { parseJson } from '../server/json-path.js'
import type { RecordedBytes, RecordedExchange, Recording } from './recording-schema.js'

/**
 * Which recorded exchange answers a request: `exact` one with the same method, path and body; `in-order` the next with
 * the same method and path, for engines that get a new random number in every request.
 */
export type Matching = 'exact' | 'in-order'

/** Finds the exchange for each request. Equal requests get theirs one after the other, and the last one stays. */
export function createExchangeFinder(
  { exchanges }: Recording,
  matching: Matching,
): (request: RecordedExchange['request']) => RecordedExchange {
  const used = new Set<RecordedExchange>()
  return (request) => {
    const fitting = exchanges.filter((exchange) => fits(exchange.request, request, matching))
    const fresh = fitting.find((exchange) => !used.has(exchange)) ?? fitting.at(-1)
    if (fresh === undefined) throw notRecorded(request)
    used.add(fresh)
    return fresh
  }
}

function fits(
  recorded: RecordedExchange['request'],
  asked: RecordedExchange['request'],
  matching: Matching,
): boolean {
  const isSameRoute = recorded.method === asked.method && recorded.path === asked.path
  return isSameRoute && (matching === 'in-order' || isSameBody(recorded.body, asked.body))
}

/** JSON counts as the same whatever the order of its keys. */
function isSameBody(left: RecordedBytes | undefined, right: RecordedBytes | undefined): boolean {
  return isDeepStrictEqual(parsedBody(left), parsedBody(right))
}

function parsedBody(body: RecordedBytes | undefined): unknown {
  return body !== undefined && 'text' in body ? (parseJson(body.text) ?? body.text) : body
}

function notRecorded({ method, path }: RecordedExchange['request']): EnergyBenchError {
  return new EnergyBenchError(
    'record-invalid',
    `The recording has no exchange for this ${method} ${path}.`,
    { fix: "Record this request too, or replay with matching: 'in-order'." },
  )
}
