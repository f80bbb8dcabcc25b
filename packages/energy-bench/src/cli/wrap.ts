/** Breaks long lines between words. What is carried over is indented as the line was, and two more. */
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
    const space = rest.lastIndexOf(' ', columns)
    const cut = space > indent.length ? space : columns
    lines.push(rest.slice(0, cut).trimEnd())
    rest = indent + rest.slice(cut).trimStart()
  }
  return [...lines, rest].join('\n')
}
