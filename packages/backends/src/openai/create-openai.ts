import type { Backend, BackendSupports, GenerateRequest } from '@energy-bench/spec'
import { isLlamaServer, llamaServerProfile } from '../llama-server/llama-server-profile.js'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend, type Server } from '../server/create-server-backend.js'
import type { ServedModel } from '../server/served-model.js'
import type { ServerOptions } from '../server/server-options.js'
import { bareInfo, type ServerProfile } from '../server/server-profile.js'

/** Which server, and how to speak with it. */
export interface OpenAIOptions extends ServerOptions {
  /** Fields that switch thinking on servers that are not known here; the result joins the request. */
  readonly thinkingFields?: (
    thinking: NonNullable<GenerateRequest['thinking']>,
  ) => Readonly<Record<string, unknown>>
  /** Set it for a server that sends thinking as plain text without the opening `<think>`. */
  readonly startsInThinking?: boolean
}

const supports: BackendSupports = { seed: true, concurrency: true, thinking: true }

/**
 * Makes a backend for a server with an OpenAI-compatible API. llama-server is recognised and told more exactly.
 *
 * @example
 * await using model = await createOpenAI({ baseUrl: 'http://127.0.0.1:8080' }).load({})
 */
export function createOpenAI(options: OpenAIOptions): Backend {
  const engine = createChatEngine({
    id: 'openai',
    supports,
    findProfile: async (server, served) => withOptions(await findProfile(server, served), options),
  })
  return createServerBackend(engine, options)
}

async function findProfile(server: Server, served: ServedModel): Promise<ServerProfile> {
  const props = await server.http.get('/props')
  const isKnown = props.status === 200 && isLlamaServer(props.body)
  return isKnown
    ? llamaServerProfile({ server, served, props: props.body })
    : plainProfile(server, served)
}

/** Profile of a server that nothing is known about but the API it speaks. */
function plainProfile({ address }: Server, served: ServedModel): ServerProfile {
  const bare = bareInfo('OpenAI-compatible server', served.id, 'the OpenAI API does not tell it')
  return {
    canThink: false,
    extraFields: () => ({}),
    info: { ...bare, settings: { baseUrl: address.rootUrl } },
  }
}

function withOptions(
  profile: ServerProfile,
  { thinkingFields, startsInThinking = false }: OpenAIOptions,
): ServerProfile {
  if (thinkingFields === undefined) return { ...profile, startsInThinking }
  return {
    ...profile,
    startsInThinking,
    canThink: true,
    extraFields: (request) => ({
      ...profile.extraFields(request),
      ...(request.thinking === undefined ? {} : thinkingFields(request.thinking)),
    }),
  }
}
