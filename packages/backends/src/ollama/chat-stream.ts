import type { GenerateRequest } from '@energy-bench/spec'
import { createCheckedFetch } from '../server/checked-fetch.js'
import type { Server, ServerModel } from '../server/create-server-backend.js'
import { cutError } from '../server/request-errors.js'
import { withUniquePrefix } from '../server/unique-prefix.js'
import { streamChat } from './stream-chat.js'
import { thinkOf } from './think.js'

/** How one model is asked. */
export interface Chat {
  readonly fixed: FixedOptions
  readonly cachePrompt: boolean
  readonly canThink: boolean
  readonly hasLevelsOnly: boolean
}

/** What stays the same on every call: another value of some of these makes Ollama load the model again. */
export interface FixedOptions {
  readonly model: string
  readonly keepAlive: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Asks `/api/chat` by hand: the client drops lines that it cannot read and prints them to the console. */
export function createChatStream(server: Server, chat: Chat): ServerModel['stream'] {
  const url = server.address.rootUrl
  const fetch = createCheckedFetch(server.fetch)
  return async function* stream(request, signal) {
    const response = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { ...server.headers, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(chat, request)),
      signal,
    })
    if (response.body === null) throw cutError(url)
    yield* streamChat(response.body, url)
  }
}

/** Everything is said, since a Modelfile may change any default. */
function bodyOf({ fixed, cachePrompt, ...chat }: Chat, request: GenerateRequest) {
  const { temperature = 0, seed = 0, stop, maxOutputTokens } = request
  const messages = cachePrompt ? request.messages : withUniquePrefix(request.messages)
  return {
    model: fixed.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    keep_alive: fixed.keepAlive,
    // A prompt that is too long shall be an error, not a shorter prompt.
    truncate: false,
    shift: false,
    ...thinkField(chat, request),
    options: {
      ...fixed.options,
      temperature,
      seed,
      num_predict: maxOutputTokens,
      ...(stop === undefined ? {} : { stop: [...stop] }),
    },
  }
}

/** A model that cannot think answers HTTP 400 to any wish but `false`. */
function thinkField(
  { canThink, hasLevelsOnly }: Pick<Chat, 'canThink' | 'hasLevelsOnly'>,
  { thinking }: GenerateRequest,
) {
  return thinking === undefined || !canThink ? {} : { think: thinkOf(thinking, hasLevelsOnly) }
}
