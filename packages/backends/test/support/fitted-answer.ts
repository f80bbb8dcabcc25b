/** One piece of an answer, whatever the format of the server. */
export interface Piece {
  readonly kind: 'thinking' | 'text'
  readonly text: string
}

/** An answer that is known from a recording or from documentation. */
export interface KnownAnswer {
  readonly pieces: readonly Piece[]
  readonly reason: string
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What a request asks of its answer. */
export interface Wish {
  readonly messages: readonly { readonly content: string }[]
  readonly limit: number
  readonly stop: readonly string[]
}

/** Changes a known answer as far as the request wants it: another prompt, a stop word, a lower limit. */
export function fittedAnswer(known: KnownAnswer, wish: Wish): KnownAnswer {
  const stopped = cutAtStop(repeated(withPrompt(known, wish), wish), wish.stop)
  if (stopped.outputTokens <= wish.limit) return stopped
  const pieces = stopped.pieces.slice(0, wish.limit)
  return { ...stopped, pieces, outputTokens: wish.limit, reason: 'length' }
}

/** Words of the question that the known answers were given to, with a mark in front. */
const knownWords = 6

function withPrompt(known: KnownAnswer, { messages }: Wish): KnownAnswer {
  const words = messages.flatMap(({ content }) => content.split(' ')).length
  return { ...known, inputTokens: known.inputTokens + Math.max(0, words - knownWords) }
}

/** Repeats what it is told to repeat, a character at a time. */
function repeated(known: KnownAnswer, { messages }: Wish): KnownAnswer {
  const told = /Repeat: (.*)$/su.exec(messages.at(-1)?.content ?? '')?.[1]
  if (told === undefined) return known
  const pieces = [...told].map((text) => ({ kind: 'text' as const, text }))
  return { ...known, pieces, reason: 'stop', outputTokens: pieces.length + 1 }
}

function cutAtStop(known: KnownAnswer, stop: readonly string[]): KnownAnswer {
  const thinking = known.pieces.filter(({ kind }) => kind === 'thinking')
  const text = known.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
  const starts = stop.map((word) => text.indexOf(word)).filter((start) => start >= 0)
  if (starts.length === 0) return known
  const rest = text.slice(0, Math.min(...starts))
  const pieces = rest === '' ? thinking : [...thinking, { kind: 'text' as const, text: rest }]
  return { ...known, pieces, reason: 'stop' }
}
