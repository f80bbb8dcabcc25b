const openingTag = '<think>'
const closingTag = '</think>'

/**
 * The answer without the thinking before it. Knows a closed block, a block that was cut off before
 * its end (then there is no answer: '') and a closing tag alone (the opening one was in the prompt).
 */
export function stripThinking(text: string): string {
  const closing = text.lastIndexOf(closingTag)
  const rest = closing === -1 ? text : text.slice(closing + closingTag.length)
  return rest.includes(openingTag) ? '' : rest.trim()
}
