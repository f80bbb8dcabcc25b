import type { CellFigures } from './assemble-report.js'
import { energyFlags } from './energy-flags.js'
import type { Facts } from './facts.js'
import { runFlags } from './run-flags.js'
import type { HonestyFlag } from './types.js'

/** Everything that a reader must know before quoting a figure of this report. */
export function honestyFlags(facts: Facts, figures: CellFigures): readonly HonestyFlag[] {
  return [...energyFlags(facts, figures), ...runFlags(facts, figures)]
}
