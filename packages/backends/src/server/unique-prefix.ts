import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '@energy-bench/spec'

/**
 * Puts a short mark that never comes again before the first message, for engines whose prompt cache cannot be switched
 * off: no earlier prompt begins in the same way, so only the head of the chat template can come from the cache.
 */
export function withUniquePrefix(
  messages: readonly ChatMessage[],
  newMark: () => string = () => randomUUID().slice(0, 8),
): readonly ChatMessage[] {
  const [first, ...rest] = messages
  if (first === undefined) return messages
  return [{ ...first, content: `[${newMark()}] ${first.content}` }, ...rest]
}
