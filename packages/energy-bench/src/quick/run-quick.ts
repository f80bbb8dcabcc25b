import type { LoadedModel, Task, Thinking } from '@energy-bench/spec'
import {
  type CellReport,
  type JournalLine,
  type MeasureEvent,
  measure,
  openMeterFor,
} from '@energy-bench/sweep'
import { prepareTask } from '@energy-bench/tasks'
import type { QuickOptions } from './options.js'
import { type QuickTarget, quickTargets } from './targets.js'

/** What `bench quick` tells while it runs. */
export type QuickEvent =
  | { readonly type: 'plan'; readonly cells: number; readonly itemsPerCell: number }
  | { readonly type: 'load'; readonly name: string }
  | { readonly type: 'meter'; readonly selection: readonly string[] }
  | { readonly type: 'skip'; readonly name: string; readonly why: string }
  | {
      readonly type: 'measure'
      readonly thinking: Thinking | undefined
      readonly event: MeasureEvent
    }

export interface QuickContext {
  readonly signal: AbortSignal
  /** Journal of an earlier, interrupted run with the same options. */
  readonly finished: readonly JournalLine[]
  onEvent(event: QuickEvent): void | Promise<void>
}

/** Measures every target with every wanted thinking mode, one cell after another. */
export async function runQuick(
  options: QuickOptions,
  context: QuickContext,
): Promise<readonly CellReport[]> {
  const targets = quickTargets(options)
  const { items, seed, repetitions, thinking } = options
  const task = await prepareTask('core', { items, seed })
  const cells = targets.length * thinking.length
  await context.onEvent({ type: 'plan', cells, itemsPerCell: task.items.length * repetitions })
  const reports: CellReport[] = []
  for (const target of targets) {
    context.signal.throwIfAborted()
    reports.push(...(await runTarget(target, { task, options, context })))
  }
  return reports
}

interface Shared {
  readonly task: Task
  readonly options: QuickOptions
  readonly context: QuickContext
}

async function runTarget(target: QuickTarget, shared: Shared): Promise<CellReport[]> {
  const { options, context } = shared
  await context.onEvent({ type: 'load', name: target.name })
  await using backend = await target.createBackend(context.signal)
  await using model = await backend.load(target.model, { signal: context.signal })
  await using meter = await openMeterFor(model.info, meterOptions(options, context))
  await context.onEvent({ type: 'meter', selection: meter.selection })
  const reports: CellReport[] = []
  const name = target.nameOf(model.info)
  for (const thinking of await thinkingModes(name, model, shared)) {
    const label = thinking === undefined ? name : `${name}, thinking ${thinking}`
    reports.push(
      await measure(model, shared.task, {
        meter,
        label,
        repetitions: options.repetitions,
        finished: context.finished,
        signal: context.signal,
        onEvent: (event) => context.onEvent({ type: 'measure', thinking, event }),
        ...(thinking === undefined ? {} : { thinking }),
        ...(options.idleS === undefined ? {} : { idleS: options.idleS }),
      }),
    )
  }
  return reports
}

function meterOptions(
  { meter, devices, wall, wattsPerCore }: QuickOptions,
  { signal }: QuickContext,
): Parameters<typeof openMeterFor>[1] {
  return {
    meter,
    signal,
    ...(devices.length === 0 ? {} : { devices }),
    ...(wall.length === 0 ? {} : { wall }),
    ...(wattsPerCore === undefined ? {} : { wattsPerCore }),
  }
}

/** A model that cannot think has one cell, not one a mode. */
async function thinkingModes(
  name: string,
  model: LoadedModel,
  { options, context }: Shared,
): Promise<readonly (Thinking | undefined)[]> {
  if (model.supports.thinking) return options.thinking
  if (options.thinking.length > 1) {
    await context.onEvent({ type: 'skip', name, why: 'it has no thinking to switch' })
  }
  return [undefined]
}
