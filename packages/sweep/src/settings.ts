import { EnergyBenchError, type Meter, type Task } from '@energy-bench/spec'
import type { MeasureOptions } from './options.js'
import { settingsSchema } from './report/provenance-schema.js'
import type { MeasureSettings } from './report/types.js'

/** Fills in the defaults and refuses values that make no run, with code `usage-invalid`. */
export function resolveSettings(
  options: MeasureOptions,
  { meter, task }: { readonly meter: Meter; readonly task: Task },
): MeasureSettings {
  const estimates = meter.domains.every((domain) => domain.method === 'model')
  const { seed, thinking, itemTimeoutS } = options
  return checked({
    repetitions: options.repetitions ?? 3,
    warmupItems: options.warmupItems ?? 2,
    idleS: options.idleS ?? (estimates ? 0.5 : 5),
    settleS: options.settleS ?? (estimates ? 0 : 1),
    temperature: options.temperature ?? 0,
    maxOutputTokens: task.maxOutputTokens,
    ...(seed === undefined ? {} : { seed }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(itemTimeoutS === undefined ? {} : { itemTimeoutS }),
  })
}

function checked(settings: MeasureSettings): MeasureSettings {
  const parsed = settingsSchema.safeParse(settings)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = issue?.path.join('.') ?? ''
  throw new EnergyBenchError('usage-invalid', `measure: ${name}: ${issue?.message}.`, {
    fix: `Pass a valid value for ${name}.`,
  })
}
