/**
 * Breaks long lines between words. What is carried over is indented as the line was, and two more. A word that no line
 * holds, such as a URL, stays whole, so that it can be copied.
 */
export function wrap(text: string, columns = 80): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  if (line.length <= columns) return line
  const indent = ' '.repeat(line.search(/\S/) + 2)
  const lines: string[] = []
  let rest = line
  while (rest.length > columns) {
    const cut = lastBreak(rest, columns)
    if (cut === undefined) break
    lines.push(rest.slice(0, cut).trimEnd())
    rest = indent + rest.slice(cut).trimStart()
  }
  return [...lines, rest].join('\n')
}

/** Where a line may break: the last space that fits, else the first one behind the word that does not. */
function lastBreak(line: string, columns: number): number | undefined {
  const start = line.search(/\S/)
  const before = line.lastIndexOf(' ', columns)
  if (before > start) return before
  const behind = line.indexOf(' ', Math.max(start, columns))
  return behind < 0 ? undefined : behind
}
