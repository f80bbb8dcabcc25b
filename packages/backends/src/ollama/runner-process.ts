import { readdir, readFile } from 'node:fs/promises'
import { type Fact, isUnknown, unknown } from '@energy-bench/spec'

/** The runner of an Ollama server: its only child process, from Linux `/proc`; `procPath` is for tests. */
export async function findRunnerProcess(
  server: Fact<number>,
  procPath = '/proc',
): Promise<Fact<number>> {
  if (isUnknown(server)) return server
  const processIds = (await readdir(procPath)).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(processIds.map((id) => parentOf(`${procPath}/${id}/stat`)))
  const children = processIds.filter((_, index) => parents[index] === server)
  const [runner] = children
  if (runner !== undefined && children.length === 1) return Number(runner)
  return unknown(`the Ollama process ${server} has ${children.length} runners, not one`)
}

/** The parent's id comes after the state, which comes after the name in brackets. */
async function parentOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const match = /\) \S (\d+) /.exec(text.slice(text.lastIndexOf(')')))
  return match === null ? undefined : Number(match[1])
}
