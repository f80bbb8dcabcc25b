/** A piece of a model's output, thinking or answer. */
export interface OutputPiece {
  readonly type: 'text-delta' | 'thinking-delta'
  readonly text: string
}

/** Splits a stream of text at `<think>` and `</think>`, wherever the chunks are cut. */
export interface ThinkingSplitter {
  /** True between the two tags. */
  readonly isThinking: boolean
  push(text: string): OutputPiece[]
  /** Gives out what was held back; an unclosed block stays thinking. */
  end(): OutputPiece[]
}

const openTag = '<think>'
const closeTag = '</think>'

type Place = 'start' | 'thinking' | 'answer'

/**
 * Makes a splitter. Only a block at the very start is thinking: an answer may speak about the tags.
 * `startsInThinking` is for prompts that already end in the opening tag, so that only the closing one comes.
 */
export function createThinkingSplitter(startsInThinking = false): ThinkingSplitter {
  let place: Place = startsInThinking ? 'thinking' : 'start'
  let held = ''
  let isFresh = startsInThinking
  let sawClose = false

  /** White space right after a tag belongs to the template, not to the text. */
  function emit(type: OutputPiece['type'], text: string): OutputPiece[] {
    const piece = isFresh ? text.trimStart() : text
    if (piece === '') return []
    isFresh = false
    return [{ type, text: piece }]
  }

  function take(): OutputPiece[] {
    const text = held
    held = ''
    return emit(place === 'thinking' ? 'thinking-delta' : 'text-delta', text)
  }

  function enter(next: Place, rest: string): OutputPiece[] {
    place = next
    held = rest
    isFresh = true
    return advance()
  }

  function decideStart(): OutputPiece[] {
    const text = held.trimStart()
    if (text.startsWith(openTag)) return enter('thinking', text.slice(openTag.length))
    if (openTag.startsWith(text)) return []
    place = 'answer'
    return advance()
  }

  function advance(): OutputPiece[] {
    if (place === 'start') return decideStart()
    if (place === 'answer' && sawClose) return take()
    const index = held.indexOf(closeTag)
    if (index < 0) return takeButHalfTag()
    const rest = held.slice(index + closeTag.length)
    held = held.slice(0, index)
    const before = take()
    sawClose = true
    return [...before, ...enter('answer', rest)]
  }

  function takeButHalfTag(): OutputPiece[] {
    const half = halfTagLength(held)
    const tail = held.slice(held.length - half)
    held = held.slice(0, held.length - half)
    const pieces = take()
    held = tail
    return pieces
  }

  return {
    get isThinking() {
      return place === 'thinking'
    },
    push(text) {
      held += text
      return advance()
    },
    end: () => take(),
  }
}

function halfTagLength(text: string): number {
  for (let length = Math.min(closeTag.length - 1, text.length); length > 0; length -= 1) {
    if (closeTag.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
