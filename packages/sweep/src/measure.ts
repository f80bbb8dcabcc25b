import { createClockWatch } from '@energy-bench/meter'
import {
  EnergyBenchError,
  isUnknown,
  type LoadedModel,
  type Meter,
  type Task,
} from '@energy-bench/spec'
import { cellKey } from './cell-key.js'
import { realEnvironment } from './environment.js'
import { openMeterFor } from './open-meter-for.js'
import type { MeasureOptions, Plan } from './options.js'
import { assembleReport } from './report/assemble-report.js'
import { createReport } from './report/create-report.js'
import type { CellReport } from './report/types.js'
import { assessRun } from './run/assess-run.js'
import { createRun } from './run/create-run.js'
import { createEmitter } from './run/emitter.js'
import { loadingOf } from './run/loading.js'
import { runCell } from './run/run-cell.js'
import { resolveSettings } from './settings.js'

/**
 * Measures one configuration on one task: joules per correct answer, with everything needed to judge that figure.
 * Items run one at a time, in order. Rejects with the reason of `signal` when aborted.
 *
 * @example
 * const report = await measure(model, task, { repetitions: 3 })
 * report.energyPerCorrectJ // { status: 'ok', value, low, high, accounting: 'net', ... }
 */
export async function measure(
  model: LoadedModel,
  task: Task,
  options: MeasureOptions = {},
): Promise<CellReport> {
  options.signal?.throwIfAborted()
  if (task.items.length === 0) {
    throw new EnergyBenchError('task-invalid', `The task ${task.id} has no items.`)
  }
  await using held = await holdMeter(model, options)
  const plan = makePlan(model, task, { ...options, meter: held.meter })
  const host = plan.environment.host()
  const createdAt = plan.environment.now().toISOString()
  const emitter = createEmitter(options.onEvent)
  const run = createRun(plan, { emitter, finished: options.finished ?? [] })
  const total = task.items.length * plan.settings.repetitions
  const clocks = createClockWatch()
  clocks.sample()
  // Asked first: a meter forgets what is long past.
  const loading = await loadingOf(model, plan.meter)
  run.emit({ type: 'cell-start', total, label: plan.label })
  await runCell(run)
  run.gathered.meterFlags = await assessRun(run, clocks)
  run.emit({ type: 'cell-end' })
  await emitter.settle()
  emitter.check()
  return createReport(assembleReport(run, { host, createdAt, ...loading }))
}

/** The caller's meter, which stays open, or one of our own, which does not. */
async function holdMeter(
  model: LoadedModel,
  { meter, signal }: MeasureOptions,
): Promise<{ readonly meter: Meter } & AsyncDisposable> {
  if (meter !== undefined) return { meter, [Symbol.asyncDispose]: async () => {} }
  const own = await openMeterFor(model.info, signal === undefined ? {} : { signal })
  return { meter: own, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() }
}

function makePlan(
  model: LoadedModel,
  task: Task,
  options: MeasureOptions & { readonly meter: Meter },
): Plan {
  const { meter, signal, environment = realEnvironment } = options
  const settings = resolveSettings(options, { meter, task })
  const { model: modelName, engine } = model.info
  return {
    model,
    task,
    meter,
    settings,
    environment,
    label: options.label ?? (isUnknown(modelName) ? engine : modelName),
    cellKey: cellKey(model.info, task, settings),
    session: environment.newSessionId(),
    signal,
  }
}
