import { isEnergyBenchError, type Task, type TaskItem } from '@energy-bench/spec'
import type { ItemRecord } from '../report/types.js'
import type { Generated } from './generate-item.js'

/** How an item ended, as its record says it. */
export type Verdict = Pick<ItemRecord, 'outcome' | 'extracted' | 'error'>

/** Correct beats truncated, truncated beats what the scorer says else. A scorer that throws makes an `error`. */
export async function judge(task: Task, item: TaskItem, generated: Generated): Promise<Verdict> {
  const { failure } = generated
  if (failure !== undefined) {
    return { outcome: failure.kind, error: describeError(failure.error, 'backend-failed') }
  }
  try {
    const score = await task.score(item.example, generated.output)
    const truncated = score.outcome !== 'correct' && wasCut(generated)
    return {
      outcome: truncated ? 'truncated' : score.outcome,
      ...(score.extracted === undefined ? {} : { extracted: score.extracted }),
    }
  } catch (error) {
    return { outcome: 'error', error: describeError(error, 'task-invalid') }
  }
}

function wasCut({ finishReason }: Generated): boolean {
  return finishReason === 'length' || finishReason === 'context-full'
}

/** Code and message of anything thrown; `code` names who is to blame where the error does not. */
export function describeError(error: unknown, code: string): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error)
  return { code: isEnergyBenchError(error) ? error.code : code, message }
}
