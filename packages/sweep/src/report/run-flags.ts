import { isUnavailable } from '@energy-bench/spec'
import { sum } from '@energy-bench/stats'
import type { CellFigures } from './assemble-report.js'
import type { Facts } from './facts.js'
import { percent } from './text.js'
import type { HonestyFlag } from './types.js'

const truncatedLimit = 0.2
const emptyLimit = 0.1
const cachedLimit = 0.01
/** A warm engine gives some tens of milliseconds here, a load takes longer. */
const loadLimitS = 0.5
const cvLimit = 0.05
const fewRepetitionsLimit = 3

type Check = (facts: Facts, figures: CellFigures) => HonestyFlag | null

/** Flags about how the model ran. */
export function runFlags(facts: Facts, figures: CellFigures): readonly HonestyFlag[] {
  const checks: readonly Check[] = [
    truncatedAnswers,
    manyEmpty,
    cachedPrompt,
    thinkingIgnored,
    modelReloaded,
    highCv,
    fewRepetitions,
    resumed,
  ]
  return checks.flatMap((check) => check(facts, figures) ?? [])
}

const truncatedAnswers: Check = ({ records }, { outcomes }) => {
  const share = outcomes.truncated / records.length
  if (share < truncatedLimit) return null
  return {
    name: 'truncated-answers',
    cause: `${outcomes.truncated} of ${records.length} answers (${percent(share)}) hit the token limit.`,
    fix: 'Raise maxOutputTokens of the task, or turn thinking off.',
  }
}

const manyEmpty: Check = ({ records }, { outcomes }) => {
  const share = outcomes.empty / records.length
  if (share < emptyLimit) return null
  return {
    name: 'many-empty',
    cause: `${outcomes.empty} of ${records.length} answers (${percent(share)}) are empty.`,
    fix: 'Check the chat template and the stop words of the model.',
  }
}

const cachedPrompt: Check = (_, { tokens }) => {
  const { inputTokens, cachedInputTokens } = tokens
  if (inputTokens === null || cachedInputTokens === null || inputTokens === 0) return null
  const share = cachedInputTokens / inputTokens
  if (share < cachedLimit) return null
  return {
    name: 'cached-prompt',
    cause: `${percent(share)} of the prompt tokens came from a cache, so their energy is missing.`,
    fix: 'Turn the prompt cache of the engine off.',
  }
}

const thinkingIgnored: Check = ({ run, records }) => {
  if (run.plan.settings.thinking !== 'off') return null
  const count = records.filter((record) => record.thought).length
  if (count === 0) return null
  return {
    name: 'thinking-ignored',
    cause: `Thinking was asked to be off, yet ${count} of ${records.length} answers have it.`,
    fix: 'Use a model or an engine that can turn thinking off.',
  }
}

const modelReloaded: Check = ({ records }) => {
  const loads = records.map((record) => record.timings.loadS ?? 0).filter((s) => s > loadLimitS)
  if (loads.length === 0) return null
  return {
    name: 'model-reloaded',
    cause: `The engine loaded the model again for ${loads.length} of ${records.length} answers, ${sum(loads).toFixed(1)} s in all; the energy of that is in their figures.`,
    fix: 'Let nothing else use the engine, and keep the model loaded.',
  }
}

const highCv: Check = (_, { energyNetJ }) => {
  if (isUnavailable(energyNetJ)) return null
  const { cvRatio } = energyNetJ
  if (cvRatio === null || cvRatio <= cvLimit) return null
  return {
    name: 'high-cv',
    cause: `Net energy varies by ${percent(cvRatio)} between repetitions.`,
    fix: 'Close other programs, use more items, and run again.',
  }
}

const fewRepetitions: Check = ({ run }) => {
  const { repetitions } = run.plan.settings
  if (repetitions >= fewRepetitionsLimit) return null
  return {
    name: 'few-repetitions',
    cause: `Only ${repetitions} of ${fewRepetitionsLimit} repetitions were asked for.`,
    fix: `Run ${fewRepetitionsLimit} repetitions or more.`,
  }
}

const resumed: Check = ({ records }) => {
  const sessions = new Set(records.map((record) => record.session)).size
  if (sessions < 2) return null
  return {
    name: 'resumed',
    cause: `The run was interrupted: its items come from ${sessions} sessions.`,
    fix: 'Run without a break where the last percent matters.',
  }
}
