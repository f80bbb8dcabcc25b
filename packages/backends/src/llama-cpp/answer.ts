import type { GenerateRequest } from '@energy-bench/spec'
import type { LlamaModel, Token } from 'node-llama-cpp'
import { createStopCutter } from '../shared/cut-at-stop.js'
import { createThinkingSplitter, type OutputPiece } from '../shared/split-thinking.js'
import { createTokenText } from './token-text.js'

/** One answer while it grows, token by token. */
export interface Answer {
  /** Everything generated so far, the end token included. */
  readonly outputTokens: number
  /** Tokens between the tags, without the tags. */
  readonly thinkingTokens: number
  /** True once any thinking was given out. */
  readonly hasThought: boolean
  /** True after an end token or a stop word. */
  readonly isFinished: boolean
  /** Clock of `performance.now()` when the first token came, milliseconds. */
  readonly firstTokenMs: number | undefined
  push(token: Token): OutputPiece[]
  end(): OutputPiece[]
}

/** Makes an empty answer. Stop words count in the answer alone: inside thinking they would end it early. */
export function createAnswer(
  model: Pick<LlamaModel, 'detokenize' | 'isEogToken'>,
  request: Pick<GenerateRequest, 'stop'>,
  startsInThinking: boolean,
): Answer {
  const tokenText = createTokenText(model)
  const splitter = createThinkingSplitter(startsInThinking)
  const cutter = createStopCutter(request.stop ?? [])
  let outputTokens = 0
  let thinkingTokens = 0
  let hasThought = false
  let sawEnd = false
  let firstTokenMs: number | undefined

  function cut(piece: OutputPiece): OutputPiece[] {
    if (piece.type === 'thinking-delta') {
      hasThought = true
      return [piece]
    }
    if (cutter.isStopped) return []
    return textPiece(cutter.push(piece.text))
  }

  return {
    get outputTokens() {
      return outputTokens
    },
    get thinkingTokens() {
      return thinkingTokens
    },
    get hasThought() {
      return hasThought
    },
    get isFinished() {
      return sawEnd || cutter.isStopped
    },
    get firstTokenMs() {
      return firstTokenMs
    },
    push(token) {
      firstTokenMs ??= performance.now()
      outputTokens += 1
      sawEnd = model.isEogToken(token)
      if (sawEnd) return []
      const wasThinking = splitter.isThinking
      const pieces = splitter.push(tokenText.push(token))
      if (wasThinking && splitter.isThinking) thinkingTokens += 1
      return pieces.flatMap(cut)
    },
    end() {
      const pieces = [...splitter.push(tokenText.end()), ...splitter.end()].flatMap(cut)
      return cutter.isStopped ? pieces : [...pieces, ...textPiece(cutter.end())]
    },
  }
}

function textPiece(text: string): OutputPiece[] {
  return text === '' ? [] : [{ type: 'text-delta', text }]
}
