import { detectEngines } from '@energy-bench/backends/detect'
import { EnergyBenchError } from '@energy-bench/spec'
import { chooseEngine, type EngineModel, passedOver } from '../quick/default-engine.js'
import type { QuickOptions } from '../quick/options.js'
import { engineTitle, quoted } from './engine-lines.js'

/** What `withDefaultEngine` needs of the command line. */
export interface DefaultEngineContext {
  /** Says a line to the user. */
  say(text: string): void
  readonly signal: AbortSignal
  readonly detect?: typeof detectEngines
}

/** Most models that a refusal lists. */
const listed = 8

/**
 * Fills in what to measure when the user named nothing: the only model that an engine here has ready, else the reference
 * model. Says what was chosen and why. Throws `usage-invalid` when there are several.
 */
export async function withDefaultEngine(
  options: QuickOptions,
  { say, signal, detect = detectEngines }: DefaultEngineContext,
): Promise<QuickOptions> {
  if (options.models.length > 0 || options.urls.length > 0) return options
  const engines = await detect({ signal })
  const choice = chooseEngine(engines)
  if (choice.type === 'several') throw severalFound(choice.candidates)
  for (const { engine, why, fix } of passedOver(engines)) {
    say(`Engine: ${engineTitle(engine)} is passed over: ${why}.\n  ${fix}`)
  }
  if (choice.type === 'none') {
    say('Engine: none is ready on the usual ports, so the reference model is measured.')
    return options
  }
  const { engine, model, url } = choice.chosen
  const why = choice.isLoaded ? 'the only model that is loaded here' : 'the only model here'
  say(`Engine: ${engineTitle(engine)}`)
  say(`  measures ${model}, ${why}.`)
  say('  Another: --url or --model. The reference model: --reference.')
  return { ...options, urls: [url] }
}

function severalFound(candidates: readonly EngineModel[]): EnergyBenchError {
  const lines = candidates.slice(0, listed).map(({ url }) => `    --url ${quoted(url)}`)
  const more = candidates.length - lines.length
  if (more > 0) lines.push(`    and ${more} more, see: energy-bench doctor`)
  return new EnergyBenchError(
    'usage-invalid',
    `${candidates.length} models could be measured here, and none was named.`,
    {
      fix: `Name one or more:\n${lines.join('\n')}\n    --reference    (the embedded reference model)`,
    },
  )
}
