import type { CellFigures } from './assemble-report.js'
import { energyFlags } from './energy-flags.js'
import type { Facts } from './facts.js'
import { runFlags } from './run-flags.js'
import type { HonestyFlag } from './types.js'

/** Everything that a reader must know before quoting a figure of this report. */
export function honestyFlags(facts: Facts, figures: CellFigures): readonly HonestyFlag[] {
  const own = [...energyFlags(facts, figures), ...runFlags(facts, figures)]
  return [...own, ...meterFlags(facts, new Set(own.map((flag) => flag.name)))]
}

/**
 * What only the meter knows: frozen counters, sleep, clock steps, batteries and the like. Where this report judges the
 * same thing on its own sums, over the items alone, its answer stands.
 */
function meterFlags({ run, method }: Facts, taken: ReadonlySet<string>): readonly HonestyFlag[] {
  return (
    run.gathered.meterFlags
      .filter(({ name }) => !taken.has(name) && !judgedHere.has(name))
      // The estimate of an idle process is a few milliwatts, whose drift says nothing.
      .filter(({ name }) => name !== 'idle-drift' || method !== 'model')
      .map(({ name, cause, fix }) => ({ name, cause, fix }))
  )
}

const judgedHere: ReadonlySet<string> = new Set(['idle-dominated', 'short-window', 'estimate-only'])
