import { measureIdle } from '@energy-bench/meter'
import type { Run } from './create-run.js'
import { devicesOver } from './devices-over.js'
import { keepIdle, type MeasuredIdle } from './session.js'

/** Measures idle power with the model resident. An `idleS` of 0 leaves it out; net figures are then unavailable. */
export async function measureIdlePhase(run: Run, phase: 'before' | 'after'): Promise<void> {
  const { settings, environment, session, signal } = run.plan
  if (settings.idleS === 0) return
  run.emit({ type: 'idle-start', phase })
  if (settings.settleS > 0) await environment.sleep(settings.settleS, signal)
  const baseline = await idleBaseline(run)
  keepIdle(run.gathered.idle, session, { [phase]: baseline })
  run.emit({ type: 'idle-end', phase, baseline })
}

async function idleBaseline({ plan }: Run): Promise<MeasuredIdle> {
  const { meter, settings, signal } = plan
  try {
    const baseline = await measureIdle(meter, {
      durationS: settings.idleS,
      ...(signal === undefined ? {} : { signal }),
    })
    return { ...baseline, ...devicesOver(meter, baseline) }
  } catch (error) {
    // A timer rejects with its own AbortError; callers want the reason that they gave.
    signal?.throwIfAborted()
    throw error
  }
}
