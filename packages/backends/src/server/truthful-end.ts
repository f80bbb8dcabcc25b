import {
  type BackendInfo,
  EnergyBenchError,
  type EngineTimings,
  type FinishReason,
  type GenerateEnd,
  type GenerateEvent,
  type GenerateRequest,
  isUnknown,
} from '@energy-bench/spec'

/** The end of an answer as the engine told it. */
export type AnswerEnd = Omit<GenerateEnd, 'thinking'>

/** What an engine file yields. */
export type AnswerEvent = Exclude<GenerateEvent, { readonly type: 'end' }> | AnswerEnd

/** Passes the events on and corrects the end where the engine says less than is known, or what cannot be. */
export async function* withTruthfulEnd(
  events: AsyncIterable<AnswerEvent>,
  request: GenerateRequest,
  info: BackendInfo,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const startMs = performance.now()
  let hasThought = false
  for await (const event of events) {
    hasThought ||= event.type === 'thinking-delta'
    if (event.type !== 'end') {
      yield event
      continue
    }
    checkWholePrompt(event, request)
    yield endOf(event, { request, info, hasThought, startMs })
  }
}

interface Known {
  readonly request: GenerateRequest
  readonly info: BackendInfo
  readonly hasThought: boolean
  /** Clock of `performance.now()`. */
  readonly startMs: number
}

function endOf({ timings, ...end }: AnswerEnd, known: Known): GenerateEnd {
  const wallS = (performance.now() - known.startMs) / 1000
  // Where nothing was thought, nothing of the output was spent on it.
  const noThought = known.hasThought || end.outputTokens === null ? null : 0
  const thinkingTokens = end.thinkingTokens ?? noThought
  return {
    ...end,
    finishReason: finishReasonOf(end, known),
    thinkingTokens,
    thinking: {
      asked: known.request.thinking ?? null,
      observed: known.hasThought || (thinkingTokens ?? 0) > 0,
    },
    ...(timings !== undefined && isPossible(timings, wallS) ? { timings } : {}),
  }
}

/** Engines say `length` for the budget and for the context alike; the counts tell which it was. */
function finishReasonOf(
  { finishReason, inputTokens, outputTokens }: AnswerEnd,
  { request, info }: Known,
): FinishReason {
  if (finishReason !== 'length' || inputTokens === null || outputTokens === null)
    return finishReason
  if (outputTokens >= request.maxOutputTokens || isUnknown(info.contextTokens)) return finishReason
  // Some engines keep one place of the context free.
  return inputTokens + outputTokens >= info.contextTokens - 1 ? 'context-full' : finishReason
}

/** Share and seconds by which clocks of two processes may differ. */
const toleranceRatio = 0.05
const toleranceS = 0.05

/** Times that add up to more than the time that passed are wrong, whichever of them it is. */
function isPossible(timings: EngineTimings, wallS: number): boolean {
  const times = [timings.prefillS, timings.decodeS, timings.loadS, timings.queueS].map(
    (s) => s ?? 0,
  )
  const sumS = times.reduce((sum, timeS) => sum + timeS, 0)
  return times.every((timeS) => timeS >= 0) && sumS <= wallS * (1 + toleranceRatio) + toleranceS
}

/** Below this length a count says too little, bytes. */
const shortPromptBytes = 1024

/** Text of people and programs has 3 to 5 bytes a token; no more than this once repeated characters are joined. */
const mostBytesPerToken = 8

function checkWholePrompt({ inputTokens }: AnswerEnd, { messages }: GenerateRequest): void {
  if (inputTokens === null) return
  const text = messages.map(({ content }) => content).join('\n')
  const bytes = Buffer.byteLength(text.replace(/(.)\1{3,}/gsu, '$1$1$1'))
  if (bytes <= shortPromptBytes || bytes <= inputTokens * mostBytesPerToken) return
  throw new EnergyBenchError(
    'prompt-too-long',
    `The engine counted ${inputTokens} input tokens for a prompt of ${bytes} bytes: it dropped a part of the prompt.`,
    { fix: 'Give the engine a larger context, or shorten the prompt.' },
  )
}
