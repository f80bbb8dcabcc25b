import { rootCause } from '../server/connection-error.js'

/** What one address said to one `GET`. Status 0 stands for no answer, and `problem` then says why. */
export interface ProbeAnswer {
  readonly status: number
  /** The `server` header, empty where there is none. */
  readonly server: string
  readonly contentType: string
  readonly text: string
  /** The body where it is JSON. */
  readonly body: unknown
  readonly problem?: string
}

/** Asks one address, each path at most once, until its time is over. It only ever sends `GET`. */
export interface Probe {
  readonly baseUrl: string
  get(path: string): Promise<ProbeAnswer>
  /** True when no further answer can come. */
  isOver(): boolean
}

/** How a probe reaches its address. */
export interface ProbeOptions {
  readonly fetch: typeof globalThis.fetch
  readonly apiKey: string | undefined
  /** Ends every request that is still open. */
  readonly signal: AbortSignal
}

/** Lists of models are small; whatever sends more than this is no engine. */
const maxBytes = 4_000_000

/** Makes a probe. It never rejects: no answer is an answer too. */
export function createProbe(baseUrl: string, options: ProbeOptions): Probe {
  const answers = new Map<string, Promise<ProbeAnswer>>()
  return {
    baseUrl,
    isOver: () => options.signal.aborted,
    get(path) {
      const answer = answers.get(path) ?? ask(`${baseUrl}${path}`, options)
      answers.set(path, answer)
      return answer
    },
  }
}

async function ask(url: string, { fetch, apiKey, signal }: ProbeOptions): Promise<ProbeAnswer> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  try {
    // A redirect could lead to another machine, and no engine sends one here.
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    const text = await readText(response)
    return {
      status: response.status,
      server: response.headers.get('server') ?? '',
      contentType: response.headers.get('content-type') ?? '',
      text,
      body: parseJson(text),
    }
  } catch (error) {
    const problem = signal.aborted ? 'it does not answer in time' : rootCause(error)
    return { status: 0, server: '', contentType: '', text: '', body: undefined, problem }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`it sends more than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
