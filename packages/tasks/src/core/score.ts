import type { Score } from '@energy-bench/spec'
import { canonicalJson, isPlainObject } from '../canonical-json.js'
import type { CoreFamily } from './item.js'

/** What a core item is scored against. */
export interface Expected {
  readonly family: CoreFamily
  readonly answer: string
}

// What an answer of the family looks like, right or wrong; anything else is `unparsed`.
const answerForms: Readonly<Record<CoreFamily, (text: string) => boolean>> = {
  arithmetic: (text) => /\d/.test(text),
  'word-problem': (text) => /\d/.test(text),
  lookup: (text) => /^[A-D]$/.test(text),
  extraction: (text) => parseObject(text) !== undefined,
  classification: (text) => /^(positive|negative|mixed)$/.test(text),
  ordering: (text) => /^\w+(, *\w+)*$/.test(text),
}

/** Scores an answer strictly: the exact text, or for extraction the same JSON in any order of keys. */
export function scoreCore({ family, answer }: Expected, output: string): Score {
  const extracted = output.trim()
  if (extracted === '') return { outcome: 'empty' }
  if (!answerForms[family](extracted)) return { outcome: 'unparsed', extracted }
  const isCorrect = family === 'extraction' ? isSameObject(extracted, answer) : extracted === answer
  return { outcome: isCorrect ? 'correct' : 'wrong', extracted }
}

function isSameObject(text: string, expected: string): boolean {
  return canonicalJson(parseObject(text)) === canonicalJson(parseObject(expected))
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
