import {
  EnergyBenchError,
  type FinishReason,
  type GenerateEnd,
  type GenerateEvent,
  type GenerateRequest,
} from '@energy-bench/spec'
import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp'
import { type ChatTemplate, endsInThinking } from '../chat-template/chat-template.js'
import { messageOf } from '../shared/backend-errors.js'
import { type Answer, createAnswer } from './answer.js'

/** What a generation needs of a loaded model. */
export interface LoadedParts {
  readonly model: LlamaModel
  readonly sequence: LlamaContextSequence
  readonly prompt: ChatTemplate
  readonly contextTokens: number
}

/** Runs one request on a sequence that nobody else uses meanwhile. */
export async function* generate(
  parts: LoadedParts,
  request: GenerateRequest,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const { signal } = request
  signal?.throwIfAborted()
  const text = parts.prompt.render(request)
  const input = tokenizePrompt(parts.model, text)
  checkFits(input.length, parts.contextTokens)
  await clear(parts.sequence)
  const answer = createAnswer(parts.model, request, endsInThinking(text))
  const startMs = performance.now()
  yield* fill(answer, parts, { input, request })
  signal?.throwIfAborted()
  yield endOf(answer, request, { inputTokens: input.length, startMs })
}

interface Work {
  readonly input: Token[]
  readonly request: GenerateRequest
}

/** Generates until the answer is finished, or the budget or the context is used up. */
async function* fill(
  answer: Answer,
  parts: LoadedParts,
  { input, request }: Work,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const budget = Math.min(request.maxOutputTokens, parts.contextTokens - input.length)
  if (budget <= 0) return
  for await (const token of sample(parts, input, request)) {
    request.signal?.throwIfAborted()
    yield* answer.push(token)
    request.signal?.throwIfAborted()
    if (answer.isFinished || answer.outputTokens >= budget) break
  }
  yield* answer.end()
}

interface Start {
  readonly inputTokens: number
  readonly startMs: number
}

function endOf(
  answer: Answer,
  request: GenerateRequest,
  { inputTokens, startMs }: Start,
): GenerateEnd {
  const endMs = performance.now()
  const firstMs = answer.firstTokenMs ?? endMs
  return {
    type: 'end',
    finishReason: finishReasonOf(answer, request),
    inputTokens,
    cachedInputTokens: 0,
    outputTokens: answer.outputTokens,
    thinkingTokens: answer.thinkingTokens,
    thinking: { asked: request.thinking ?? null, observed: answer.hasThought },
    timings: {
      prefillS: (firstMs - startMs) / 1000,
      decodeS: (endMs - firstMs) / 1000,
      loadS: null,
      queueS: null,
    },
  }
}

function finishReasonOf(answer: Answer, { maxOutputTokens }: GenerateRequest): FinishReason {
  if (answer.isFinished) return 'stop'
  return answer.outputTokens < maxOutputTokens ? 'context-full' : 'length'
}

/** Tokens of a rendered prompt, with the begin token that the model wants and never a second one. */
function tokenizePrompt(model: LlamaModel, text: string): Token[] {
  const tokens = model.tokenize(text, true)
  const { bos, shouldPrependBosToken } = model.tokens
  const needsBos = shouldPrependBosToken && bos !== null && tokens[0] !== bos
  return needsBos ? [bos, ...tokens] : [...tokens]
}

function checkFits(inputTokens: number, contextTokens: number): void {
  if (inputTokens < contextTokens) return
  throw new EnergyBenchError(
    'prompt-too-long',
    `The prompt has ${inputTokens} tokens and the context holds ${contextTokens}.`,
    { fix: `Load the model with contextTokens above ${inputTokens}, or shorten the prompt.` },
  )
}

/** Nothing of an earlier prompt may shorten the work of this one. */
async function clear(sequence: LlamaContextSequence): Promise<void> {
  await sequence.clearHistory()
  if (sequence.nextTokenIndex === 0) return
  throw new EnergyBenchError(
    'backend-failed',
    `The prompt cache still holds ${sequence.nextTokenIndex} tokens after it was cleared.`,
    { fix: 'Load the model again.' },
  )
}

async function* sample(
  { sequence }: LoadedParts,
  input: Token[],
  { temperature = 0, seed }: GenerateRequest,
): AsyncGenerator<Token, void, undefined> {
  try {
    yield* sequence.evaluate(input, {
      temperature,
      ...(seed === undefined ? {} : { seed }),
      yieldEogToken: true,
    })
  } catch (cause) {
    throw new EnergyBenchError(
      'backend-failed',
      `llama.cpp stopped in the middle of an answer: ${messageOf(cause)}.`,
      {
        fix: 'Load the model again; if it repeats, use a smaller context.',
        cause,
        isRetryable: true,
      },
    )
  }
}
