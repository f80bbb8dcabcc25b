import type { Thinking } from '@energy-bench/spec'

/** What `think` of Ollama may be. */
export type Think = boolean | 'low' | 'medium' | 'high'

/**
 * Value of `think` for a model that can think. gpt-oss knows levels alone and cannot stop thinking: `off` becomes its
 * lowest level, and the end of the answer says that thinking was seen.
 */
export function thinkOf(thinking: Thinking, hasLevelsOnly: boolean): Think {
  if (thinking !== 'off' && thinking !== 'on') return thinking
  if (!hasLevelsOnly) return thinking === 'on'
  return thinking === 'on' ? 'medium' : 'low'
}
