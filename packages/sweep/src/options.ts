import type { LoadedModel, Meter, Task, Thinking } from '@energy-bench/spec'
import type { Environment } from './environment.js'
import type { JournalLine } from './journal/lines.js'
import type { MeasureSettings } from './report/types.js'
import type { MeasureEvent } from './run/events.js'

/** Options of `measure`. Every one has a default. */
export interface MeasureOptions {
  /** Default: `openMeter()` for the process of the model, disposed by `measure`. A meter that you pass stays yours. */
  readonly meter?: Meter
  /** Passes over the items. Default 3; fewer are flagged. */
  readonly repetitions?: number
  /** Items run and thrown away before anything is measured. Default 2. */
  readonly warmupItems?: number
  /** Length of each idle window, seconds. Default 5; 0.5 for a meter that only estimates. */
  readonly idleS?: number
  /** Pause before each idle window, seconds, so that clocks and averages fall. Default 1; 0 for a meter that only estimates. */
  readonly settleS?: number
  /** Left out: whatever the model does by itself. */
  readonly thinking?: Thinking
  /** Default 0, greedy. */
  readonly temperature?: number
  readonly seed?: number
  /** An item that takes longer ends as `timeout`. Default: no limit. */
  readonly itemTimeoutS?: number
  /** Name of the cell in reports. Default: the model name. */
  readonly label?: string
  /** Called in order of happening. Its rejection stops the run and rejects `measure`. */
  readonly onEvent?: (event: MeasureEvent) => void | Promise<void>
  /** Lines of an earlier journal. Items of this very cell that ended without error are not run again. */
  readonly finished?: readonly JournalLine[]
  readonly signal?: AbortSignal
  /** Clock, host and random id. For tests. */
  readonly environment?: Environment
}

/** Everything that one run needs, defaults filled in. */
export interface Plan {
  readonly model: LoadedModel
  readonly task: Task
  readonly meter: Meter
  readonly settings: MeasureSettings
  readonly environment: Environment
  readonly label: string
  readonly cellKey: string
  readonly session: string
  readonly signal: AbortSignal | undefined
}
