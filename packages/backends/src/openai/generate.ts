import type { ChatMessage, GenerateEvent, GenerateRequest } from '@energy-bench/spec'
import type { OpenAI } from 'openai'
import { requestError, timeoutError } from './request-errors.js'
import type { ServerProfile } from './server-profile.js'
import { streamAnswer } from './stream-answer.js'

/** What a generation needs of a server. */
export interface ServerParts {
  readonly client: OpenAI
  readonly profile: ServerProfile
  /** Name of the model in requests. */
  readonly modelId: string
  /** Seconds until a whole answer must be there. */
  readonly requestTimeoutS: number
  readonly startsInThinking: boolean
  readonly closed: AbortSignal
}

/** Asks for one streamed answer. Breaking out of the loop closes the connection, which stops the server. */
export async function* generate(
  parts: ServerParts,
  request: GenerateRequest,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const timeout = AbortSignal.timeout(parts.requestTimeoutS * 1000)
  const stops = [timeout, parts.closed, ...(request.signal === undefined ? [] : [request.signal])]
  const signal = AbortSignal.any(stops)
  request.signal?.throwIfAborted()
  try {
    const chunks = await parts.client.chat.completions.create(bodyOf(parts, request), { signal })
    for await (const event of streamAnswer(failWhenAborted(chunks, signal), parts)) {
      signal.throwIfAborted()
      yield event
    }
  } catch (error) {
    request.signal?.throwIfAborted()
    parts.closed.throwIfAborted()
    if (timeout.aborted) throw timeoutError(parts.client.baseURL, parts.requestTimeoutS)
    throw requestError(error, parts.client.baseURL)
  }
}

/** The client ends an aborted stream as if it were complete. */
async function* failWhenAborted<Chunk>(
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  yield* chunks
  signal.throwIfAborted()
}

function bodyOf({ profile, modelId }: ServerParts, request: GenerateRequest) {
  const { temperature = 0, seed, stop } = request
  return {
    model: modelId,
    messages: request.messages.map(messageOf),
    max_tokens: request.maxOutputTokens,
    temperature,
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stop: [...stop] }),
    stream: true as const,
    stream_options: { include_usage: true },
    ...profile.extraFields(request),
  }
}

function messageOf({ role, content }: ChatMessage) {
  return { role, content }
}
