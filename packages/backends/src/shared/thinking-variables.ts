import type { Thinking } from '@energy-bench/spec'

/** Variables that chat templates read to switch thinking; empty when nothing is asked for. */
export function thinkingVariables(
  thinking: Thinking | undefined,
): Readonly<Record<string, unknown>> {
  if (thinking === undefined) return {}
  if (thinking === 'off' || thinking === 'on') return { enable_thinking: thinking === 'on' }
  return { enable_thinking: true, reasoning_effort: thinking }
}
