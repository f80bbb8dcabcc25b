import type { BackendSupports, ChatMessage, GenerateRequest } from '@energy-bench/spec'
import { createCheckedFetch } from './checked-fetch.js'
import type { Server, ServerEngine, ServerModel, WantedModel } from './create-server-backend.js'
import { revealed, withHiddenFailures } from './hidden-failure.js'
import { findServedModel, type ServedModel } from './served-model.js'
import type { ServerProfile } from './server-profile.js'
import { streamAnswer } from './stream-answer.js'
import { withUniquePrefix } from './unique-prefix.js'
import { waitUntilReady } from './wait-until-ready.js'

/** Longest time limit that the client takes, milliseconds: ours is the one that counts. */
const clientTimeoutMs = 2 ** 31 - 1

/** An engine that speaks the OpenAI API and is told apart by a profile. */
export interface ChatEngine {
  readonly id: string
  readonly supports: BackendSupports
  findProfile(server: Server, served: ServedModel, wanted: WantedModel): Promise<ServerProfile>
}

/** Makes an engine of a server whose answers are chat completions, through the `openai` client. */
export function createChatEngine({ id, supports, findProfile }: ChatEngine): ServerEngine {
  return {
    id,
    supports,
    async connect(server, wanted) {
      await waitUntilReady(server, wanted.signal)
      const served = await findServedModel(server.http, wanted.id, wanted.signal)
      const profile = await findProfile(server, served, wanted)
      const { info, canThink, hasUniquePrefix = false } = profile
      return {
        info,
        // A prefix that is new each time makes another prompt of the same question.
        supports: { ...supports, seed: supports.seed && !hasUniquePrefix, thinking: canThink },
        stream: await chatStream(server, served.id, profile),
      }
    },
  }
}

async function chatStream(
  server: Server,
  modelId: string,
  profile: ServerProfile,
): Promise<ServerModel['stream']> {
  const { OpenAI } = await import('openai')
  const client = new OpenAI({
    baseURL: server.address.apiUrl,
    // The client wants some key; local servers do not look at it.
    apiKey: server.apiKey ?? 'none',
    // A hidden second attempt would cost energy that nobody counts.
    maxRetries: 0,
    timeout: clientTimeoutMs,
    logLevel: 'off',
    fetch: withHiddenFailures(createCheckedFetch(server.fetch)),
  })
  const headers = profile.closesAfterStream ? { connection: 'close' } : {}
  return async function* stream(request, signal) {
    const messages = profile.hasUniquePrefix ? withUniquePrefix(request.messages) : request.messages
    const body = {
      ...bodyOf(modelId, { ...request, messages }),
      ...profile.extraFields(request),
    }
    const chunks = await client.chat.completions
      .create(body, { signal, headers })
      .catch((error: unknown) => {
        throw revealed(error)
      })
    yield* streamAnswer(chunks, profile, server.address.rootUrl)
  }
}

function bodyOf(modelId: string, request: GenerateRequest) {
  const { temperature = 0, seed, stop } = request
  return {
    model: modelId,
    messages: request.messages.map(plainMessage),
    max_tokens: request.maxOutputTokens,
    temperature,
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stop: [...stop] }),
    stream: true as const,
    stream_options: { include_usage: true },
  }
}

function plainMessage({ role, content }: ChatMessage) {
  return { role, content }
}
