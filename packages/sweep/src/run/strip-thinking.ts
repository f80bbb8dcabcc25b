/** An answer without thinking, and whether there was any. */
export interface StrippedText {
  readonly text: string
  readonly thought: boolean
}

/**
 * Cuts inline `<think>` blocks, for engines that do not separate thinking. A block that never closes was cut by the
 * budget and has no answer behind it; a close without an open means that the chat template opened the block.
 */
export function stripThinking(output: string): StrippedText {
  const closed = output.replace(/<think>[\s\S]*?<\/think>/g, '')
  const text = closed.replace(/^[\s\S]*<\/think>/, '').replace(/<think>[\s\S]*$/, '')
  return text === output ? { text, thought: false } : { text: text.trimStart(), thought: true }
}
