import type { LlamaModel, Token } from 'node-llama-cpp'

/** Turns tokens into text one by one, waiting while a character is still incomplete. */
export interface TokenText {
  push(token: Token): string
  end(): string
}

/** A character has at most four bytes, so no character needs more tokens than that. */
const maxHeldTokens = 4
/** What comes before decides about leading spaces; a few tokens are enough. */
const contextTokens = 4

/** Makes a detokenizer for one answer. Special tokens show, since `<think>` can be one. */
export function createTokenText(model: Pick<LlamaModel, 'detokenize'>): TokenText {
  let held: Token[] = []
  let before: Token[] = []

  function take(text: string): string {
    before = [...before, ...held].slice(-contextTokens)
    held = []
    return text
  }

  return {
    push(token) {
      held.push(token)
      const text = model.detokenize(held, true, before)
      const isIncomplete = text.endsWith('\uFFFD') && held.length < maxHeldTokens
      return isIncomplete ? '' : take(text)
    },
    end: () => (held.length === 0 ? '' : take(model.detokenize(held, true, before))),
  }
}
