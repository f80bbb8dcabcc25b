import { z } from 'zod'

/** What `--meter` takes. */
export const meterChoices = ['auto', 'nvml', 'amd', 'intel', 'apple', 'rapl', 'cpu'] as const

/** Everything that decides what `bench quick` measures. Kept in the run folder, so that a run can be resumed. */
export const quickOptionsSchema = z.strictObject({
  /** GGUF files for the embedded engine; none means the reference model in its four quantizations. */
  models: z.array(z.string()).readonly(),
  /** Base URLs of OpenAI-compatible servers; `#name` at the end chooses a model. Each is one configuration. */
  urls: z.array(z.string()).readonly(),
  thinking: z
    .array(z.enum(['off', 'on']))
    .min(1)
    .readonly(),
  /** Items of the core suite, spread evenly over its families and levels. */
  items: z.int().positive(),
  repetitions: z.int().positive(),
  /** Seed of the draw of items. */
  seed: z.int(),
  meter: z.enum(meterChoices),
  /** Wall plugs to meter beside the machine, as URLs. */
  wall: z.array(z.string()).readonly().default([]),
  /** GPUs to meter, as UUID, prefix of one, or index; none means the meter chooses. */
  devices: z.array(z.string()).readonly(),
  /** Nominal power of one busy core, for the CPU estimate. */
  wattsPerCore: z.number().positive().optional(),
  /** Length of each idle window, seconds. */
  idleS: z.number().positive().optional(),
})

export type QuickOptions = z.infer<typeof quickOptionsSchema>

/** What `bench quick` does when nothing is asked for. */
export const quickDefaults: QuickOptions = {
  models: [],
  urls: [],
  thinking: ['off', 'on'],
  items: 30,
  repetitions: 3,
  seed: 1234,
  meter: 'auto',
  wall: [],
  devices: [],
}
