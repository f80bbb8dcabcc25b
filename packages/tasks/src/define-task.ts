import {
  type ChatMessage,
  EnergyBenchError,
  type Score,
  type Task,
  type TaskItem,
} from '@energy-bench/spec'
import { digestItems } from './digest.js'

/** What a scorer of `defineTask` may return: right or wrong, a number from 0 to 1, or a full score. */
export type ScoreResult = boolean | number | Score

/** A task of your own: examples and two functions. */
export interface TaskDefinition<Example extends { readonly id: string }> {
  readonly id: string
  /** Raise it when the prompts or the scoring change; default '1'. */
  readonly version?: string
  readonly examples: readonly Example[]
  readonly maxOutputTokens: number
  /** The prompt: a string, or chat messages. */
  render(example: Example): string | readonly ChatMessage[]
  /** Judges an answer without its thinking. Of numbers only 1 counts as correct. */
  score(example: Example, output: string): ScoreResult | Promise<ScoreResult>
  /** Part of the task that the example belongs to, for accuracy by group. */
  group?(example: Example): string
  /** Where the examples come from, for the report. */
  readonly provenance?: Readonly<Record<string, string | number>>
}

/**
 * Makes a task of your own examples, and checks them.
 *
 * @example
 * const sentiment = defineTask({
 *   id: 'sentiment',
 *   examples: [{ id: '1', text: 'a joyless slog', label: 'negative' }],
 *   render: (example) => `Positive or negative? One word.\n\n${example.text}`,
 *   score: (example, output) => output.trim().toLowerCase() === example.label,
 *   maxOutputTokens: 4,
 * })
 */
export function defineTask<Example extends { readonly id: string }>(
  definition: TaskDefinition<Example>,
): Task<Example> {
  assertDefinition(definition)
  const items = definition.examples.map((example) => taskItem(definition, example))
  const render = (example: Example) => definition.render(example)
  return {
    specVersion: 1,
    id: definition.id,
    version: definition.version ?? '1',
    maxOutputTokens: definition.maxOutputTokens,
    items,
    digest: digestItems(items, render),
    provenance: { source: 'defined by the caller', ...definition.provenance, items: items.length },
    render,
    score: async (example, output) => {
      const result = await definition.score(example, output)
      return toScore(result, { task: definition.id, item: example.id, output })
    },
  }
}

function taskItem<Example extends { readonly id: string }>(
  definition: TaskDefinition<Example>,
  example: Example,
): TaskItem<Example> {
  const { id } = example
  if (definition.group === undefined) return { id, example }
  return { id, group: definition.group(example), example }
}

interface Scored {
  readonly task: string
  readonly item: string
  readonly output: string
}

function toScore(result: ScoreResult, { task, item, output }: Scored): Score {
  if (typeof result === 'object' && result !== null) return result
  const value = typeof result === 'boolean' ? Number(result) : result
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw invalid(`${task}: item ${item}: score is ${result}`, 'Return a number from 0 to 1.')
  }
  if (value === 1) return { outcome: 'correct', extracted: output }
  return output.trim() === '' ? { outcome: 'empty' } : { outcome: 'wrong', extracted: output }
}

// Callers in plain JavaScript have no types: whatever is missing is named here, not in a run of hours.
function assertDefinition<Example extends { readonly id: string }>(
  definition: TaskDefinition<Example>,
): void {
  const { id, examples, maxOutputTokens } = definition
  if (!isName(id)) throw invalid(`task: id is ${String(id)}`, 'Give the task an id.')
  for (const name of ['render', 'score'] as const) {
    if (typeof definition[name] === 'function') continue
    throw invalid(`${id}: ${name} is ${typeof definition[name]}`, `Give a function as ${name}.`)
  }
  if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 1) {
    const received = `${id}: maxOutputTokens is ${String(maxOutputTokens)}`
    throw invalid(received, 'Give a whole number of 1 or more.')
  }
  if (!Array.isArray(examples) || examples.length === 0) {
    throw invalid(`${id}: examples is empty or no array`, 'Give at least one example.')
  }
  assertIds(id, examples)
}

function assertIds(task: string, examples: readonly { readonly id: string }[]): void {
  const seen = new Map<string, number>()
  for (const [position, example] of examples.entries()) {
    const id: unknown = example?.id
    if (!isName(id)) {
      const received = `${task}: examples[${position}].id is ${JSON.stringify(id)}`
      throw invalid(received, 'Give every example a string id that is not empty.')
    }
    const earlier = seen.get(id)
    if (earlier !== undefined) {
      const received = `${task}: examples[${position}].id ${JSON.stringify(id)} is also that of examples[${earlier}]`
      throw invalid(received, 'Give every example its own id.')
    }
    seen.set(id, position)
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function invalid(message: string, fix: string): EnergyBenchError {
  return new EnergyBenchError('task-invalid', message, { fix })
}
