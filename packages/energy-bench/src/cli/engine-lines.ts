import type { DetectedEngine } from '@energy-bench/backends/detect'
import { type Fact, isUnknown } from '@energy-bench/spec'

/** Most models of one kind that are named. */
const listed = 6

/** The section "Engines" of `doctor`: what answers here, with which models, and what is missing. */
export function engineLines(engines: readonly DetectedEngine[]): string {
  if (engines.length === 0) return 'Engines: none answers on the ports that were looked at.\n'
  return `Engines\n${engines.map(engineBlock).join('\n')}\n`
}

/** One line that says which engine it is: name, version, address. */
export function engineTitle({ name, version, baseUrl }: DetectedEngine): string {
  return `${name}${isUnknown(version) ? '' : ` ${version}`} at ${baseUrl}`
}

/** A word for a shell, in quotes only where it needs them. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function engineBlock(engine: DetectedEngine): string {
  const { missing, modelsAvailable, modelsLoaded } = engine
  const mark = missing.length === 0 ? 'ok  ' : 'no  '
  const lines = [
    ...modelLine('loaded', modelsLoaded),
    ...modelLine('available', notLoaded(modelsAvailable, modelsLoaded)),
    ...missing.flatMap(({ detail, fix }) => [detail, fix]),
    ...(missing.length === 0 ? [`energy-bench bench quick --url ${quoted(urlOf(engine))}`] : []),
  ]
  const title = `${mark}  ${engineTitle(engine)}${processText(engine)}`
  return [title, ...lines.map((line) => `      ${line}`)].join('\n')
}

function processText({ processId }: DetectedEngine): string {
  return isUnknown(processId) ? '' : `, process ${processId}`
}

function modelLine(label: string, models: Fact<readonly string[]>): readonly string[] {
  if (isUnknown(models) || models.length === 0) return []
  const names = models.slice(0, listed).join(', ')
  const more = models.length - listed
  return [`${label}: ${names}${more > 0 ? ` and ${more} more` : ''}`]
}

function notLoaded(
  available: Fact<readonly string[]>,
  loaded: Fact<readonly string[]>,
): Fact<readonly string[]> {
  if (isUnknown(available) || isUnknown(loaded)) return available
  return available.filter((name) => !loaded.includes(name))
}

/** The URL alone where the engine has one model; else with the first one that would answer. */
function urlOf({ baseUrl, modelsAvailable, modelsLoaded }: DetectedEngine): string {
  const available = isUnknown(modelsAvailable) ? [] : modelsAvailable
  if (available.length <= 1) return baseUrl
  const loaded = isUnknown(modelsLoaded) ? [] : modelsLoaded
  return `${baseUrl}#${loaded[0] ?? available[0]}`
}
