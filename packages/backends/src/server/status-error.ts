import { EnergyBenchError, type EnergyBenchErrorOptions, type ErrorCode } from '@energy-bench/spec'
import { at, parseJson, textAt } from './json-path.js'

/** The error for an answer whose status is not 2xx; reads its body. */
export async function statusError(response: Response): Promise<EnergyBenchError> {
  const { status, url, headers } = response
  const text = await response.text().catch(() => '')
  const body = parseJson(text)
  const said = saidBy(body) ?? (response.statusText || 'no message')
  const { code, ...rest } = meaningOf(status, isPromptTooLong(body, said), said)
  const retryAfterS = secondsOf(headers.get('retry-after'))
  return new EnergyBenchError(code, `${url} answered HTTP ${status}: ${said}`, {
    ...rest,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  })
}

/** What an error body says: OpenAI's form, Ollama's form, or a bare message. */
export function saidBy(body: unknown): string | undefined {
  return (
    textAt(body, 'error', 'message') ??
    textAt(body, 'error') ??
    textAt(body, 'message') ??
    textAt(body, 'detail')
  )
}

/** Engines tell it by a type, by a code, or only by their words. */
export function isPromptTooLong(body: unknown, said: string): boolean {
  const error = at(body, 'error') ?? body
  return (
    textAt(error, 'type') === 'exceed_context_size_error' ||
    textAt(error, 'code') === 'context_length_exceeded' ||
    /context length|context size|prompt is too long|prompt is longer|max_new_tokens` must be/i.test(
      said,
    )
  )
}

type Meaning = EnergyBenchErrorOptions & { readonly code: ErrorCode }

function meaningOf(status: number, isTooLong: boolean, said: string): Meaning {
  if (isTooLong) return { code: 'prompt-too-long', fix: 'Give the engine a larger context.' }
  if (status === 404) return notFound(said)
  return (
    meanings[status] ?? { code: 'backend-failed', fix: 'Change the request as the message says.' }
  )
}

function notFound(said: string): Meaning {
  return /model/i.test(said)
    ? { code: 'model-missing', fix: 'Load the model in the engine, or choose another one.' }
    : {
        code: 'backend-unavailable',
        fix: 'Correct baseUrl: this path is not there.',
        isRetryable: false,
      }
}

const needsKey: Meaning = { code: 'backend-failed', fix: 'Set apiKey.' }
const later: Meaning = { code: 'backend-busy', fix: 'Wait, or send fewer requests at once.' }
const gateway: Meaning = {
  code: 'backend-unavailable',
  fix: 'A proxy answered for a server that it cannot reach: start that server.',
}

const meanings: Readonly<Record<number, Meaning>> = {
  401: needsKey,
  403: needsKey,
  408: { code: 'backend-timeout', fix: 'Ask for fewer tokens, or raise the limit of the server.' },
  429: later,
  502: gateway,
  503: later,
  504: gateway,
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
