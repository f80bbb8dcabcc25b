import { type IdleBaseline, measureIdle } from '@energy-bench/meter'
import type { Run } from './create-run.js'
import { keepIdle } from './session.js'

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

async function idleBaseline({ plan }: Run): Promise<IdleBaseline> {
  const { meter, settings, signal } = plan
  try {
    return await measureIdle(meter, {
      durationS: settings.idleS,
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    // A timer rejects with its own AbortError; callers want the reason that they gave.
    signal?.throwIfAborted()
    throw error
  }
}
