import {
  EnergyBenchError,
  type EngineTimings,
  type FinishReason,
  type GenerateEnd,
  isEnergyBenchError,
  type Task,
  type TaskItem,
  type TokenCounts,
} from '@energy-bench/spec'
import type { Plan } from '../options.js'
import { createDeadline } from './deadline.js'
import { stripThinking } from './strip-thinking.js'

/** One generation, timed on the clock of the meter. */
export interface Generated {
  readonly startS: number
  readonly endS: number
  readonly firstTokenS: number | null
  readonly output: string
  readonly thought: boolean
  readonly finishReason: FinishReason | null
  readonly tokens: TokenCounts
  readonly timings: EngineTimings
  /** What broke the generation, `timeout` where it was the limit of the item. */
  readonly failure?: { readonly kind: 'timeout' | 'error'; readonly error: unknown }
}

/** What the stream gave so far; kept when it breaks. */
interface Seen {
  text: string
  thought: boolean
  firstS: number | null
  end: GenerateEnd | null
}

/** Runs one item. Rejects only when the caller aborts; a broken engine is a value. */
export async function generateItem(plan: Plan, item: TaskItem): Promise<Generated> {
  const messages = renderMessages(plan.task, item)
  using deadline = createDeadline(plan.settings.itemTimeoutS, plan.signal)
  const seen: Seen = { text: '', thought: false, firstS: null, end: null }
  const startS = plan.meter.now()
  const failure = await collectFailure(() =>
    readStream(plan, { messages, signal: deadline.signal, seen }),
  )
  const endS = plan.meter.now()
  if (failure !== null) plan.signal?.throwIfAborted()
  const kind = deadline.hasExpired() || isTimeout(failure?.error) ? 'timeout' : 'error'
  return {
    startS,
    endS,
    ...describe(seen, startS),
    ...(failure === null ? {} : { failure: { kind, error: failure.error } }),
  }
}

/** The engine's own time limit makes the same outcome as that of the item. */
function isTimeout(error: unknown): boolean {
  return isEnergyBenchError(error) && error.code === 'backend-timeout'
}

function renderMessages(task: Task, item: TaskItem) {
  const prompt = task.render(item.example)
  return typeof prompt === 'string' ? [{ role: 'user' as const, content: prompt }] : prompt
}

interface StreamInput {
  readonly messages: ReturnType<typeof renderMessages>
  readonly signal: AbortSignal
  readonly seen: Seen
}

async function readStream(plan: Plan, { messages, signal, seen }: StreamInput): Promise<void> {
  for await (const event of plan.model.generate({ ...requestOf(plan), messages, signal })) {
    if (event.type === 'end') {
      seen.end = event
      continue
    }
    if (event.text === '') continue
    seen.firstS ??= plan.meter.now()
    if (event.type === 'text-delta') seen.text += event.text
    else seen.thought = true
  }
  if (seen.end !== null) return
  throw new EnergyBenchError('stream-cut', 'The engine ended its answer without an end event.')
}

function requestOf({ settings }: Plan) {
  const { temperature, seed, thinking, maxOutputTokens } = settings
  return {
    maxOutputTokens,
    temperature,
    ...(seed === undefined ? {} : { seed }),
    ...(thinking === undefined ? {} : { thinking }),
  }
}

async function collectFailure(action: () => Promise<void>): Promise<{ error: unknown } | null> {
  try {
    await action()
    return null
  } catch (error) {
    return { error }
  }
}

function describe(seen: Seen, startS: number) {
  const { text, thought } = stripThinking(seen.text)
  const { end } = seen
  return {
    firstTokenS: seen.firstS === null ? null : seen.firstS - startS,
    output: text,
    thought: seen.thought || thought || end?.thinking.observed === true,
    finishReason: end?.finishReason ?? null,
    tokens: {
      inputTokens: end?.inputTokens ?? null,
      cachedInputTokens: end?.cachedInputTokens ?? null,
      outputTokens: end?.outputTokens ?? null,
      thinkingTokens: end?.thinkingTokens ?? null,
    },
    timings: end?.timings ?? { prefillS: null, decodeS: null, loadS: null, queueS: null },
  }
}
