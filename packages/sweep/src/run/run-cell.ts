import { EnergyBenchError, type TaskItem } from '@energy-bench/spec'
import type { Plan } from '../options.js'
import type { Run } from './create-run.js'
import { generateItem } from './generate-item.js'
import { measureIdlePhase } from './idle-phase.js'
import { judge } from './judge.js'
import { recordItem } from './record-item.js'
import { recordKey } from './session.js'

/** Failures in a row after which the engine counts as dead. */
const deadEngineFailures = 3

/** One item of one repetition. */
export interface Step {
  readonly item: TaskItem
  readonly repetition: number
}

/** Warm-up, idle, every item that is left, idle. What was gathered stays in `run`, even when this rejects. */
export async function runCell(run: Run): Promise<void> {
  const steps = remainingSteps(run)
  if (steps.length === 0) return
  try {
    await warmUp(run.plan)
    run.emit({ type: 'warmup-end' })
    await measureIdlePhase(run, 'before')
    await runSteps(run, steps)
  } finally {
    // Finished items are told to the caller whatever ended the run: they are what a resume starts from.
    await run.emitter.settle()
  }
  run.emitter.check()
  await measureIdlePhase(run, 'after')
}

function remainingSteps({ plan, gathered }: Run): readonly Step[] {
  const steps: Step[] = []
  for (let repetition = 1; repetition <= plan.settings.repetitions; repetition += 1) {
    for (const item of plan.task.items) {
      const isDone = gathered.records.has(recordKey({ repetition, itemId: item.id }))
      if (!isDone) steps.push({ item, repetition })
    }
  }
  return steps
}

/** A failure here is not counted: if it is lasting, the measured items show it. */
async function warmUp(plan: Plan): Promise<void> {
  for (const item of plan.task.items.slice(0, plan.settings.warmupItems)) {
    plan.signal?.throwIfAborted()
    await generateItem(plan, item)
  }
}

async function runSteps(run: Run, steps: readonly Step[]): Promise<void> {
  let failures = 0
  for (const step of steps) {
    run.plan.signal?.throwIfAborted()
    run.emitter.check()
    const generated = await generateItem(run.plan, step.item)
    const verdict = await judge(run.plan.task, step.item, generated)
    // Not awaited: the energy of a window is known only a tick after its end.
    run.emitter.track(recordItem(run, { step, generated, verdict }))
    failures = engineFailures.has(verdict.error?.code) ? failures + 1 : 0
    if (failures === deadEngineFailures) throw deadEngine(step, generated.failure?.error)
  }
}

/** Codes that say nothing about the item. */
const engineFailures: ReadonlySet<string | undefined> = new Set([
  'backend-failed',
  'backend-unavailable',
  'backend-busy',
  'backend-timeout',
  'stream-cut',
  'model-missing',
])

function deadEngine({ item, repetition }: Step, cause: unknown): EnergyBenchError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new EnergyBenchError(
    'backend-failed',
    `The engine failed ${deadEngineFailures} items in a row, the last was ${item.id} of repetition ${repetition}: ${said}`,
    {
      fix: 'Start the engine again and go on from the journal: finished items are kept.',
      cause,
      isRetryable: true,
    },
  )
}
