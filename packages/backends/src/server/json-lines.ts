import { parseJson } from './json-path.js'
import { garbageError } from './request-errors.js'

/** Reads a stream of JSON objects, one a line. A last line that is not whole is left out: its stream was cut. */
export async function* readJsonLines(
  body: AsyncIterable<Uint8Array>,
  url: string,
): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.trim() !== '') yield parseLine(line, url)
    }
  }
  const last = parseJson(rest)
  if (last !== undefined) yield last
}

function parseLine(line: string, url: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw garbageError(url, cause)
  }
}
