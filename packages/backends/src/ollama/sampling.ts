import type { SamplingSettings } from '@energy-bench/spec'

/** Defaults of Ollama for what a Modelfile leaves out (docs.ollama.com/modelfile, v0.40). */
const defaults: SamplingSettings = { top_k: 40, top_p: 0.9, min_p: 0, repeat_penalty: 1 }

const names: ReadonlySet<string> = new Set([
  ...Object.keys(defaults),
  'typical_p',
  'presence_penalty',
  'frequency_penalty',
  'repeat_last_n',
])

/**
 * Sampling of a model: its Modelfile over the defaults. Temperature and seed are left out, since every request sets
 * them. `parameters` is the text of `/api/show`, one name and value a line.
 */
export function samplingOf(parameters = ''): SamplingSettings {
  const lines = parameters.split('\n').map((line) => line.trim().split(/\s+/))
  const own = lines.flatMap(([name = '', value = '']) => {
    const isNumber = names.has(name) && value !== '' && Number.isFinite(Number(value))
    return isNumber ? [[name, Number(value)] as const] : []
  })
  return { ...defaults, ...Object.fromEntries(own) }
}
