import { EnergyBenchError } from '@energy-bench/spec'
import { z } from 'zod'

/** Bytes as text where they are whole UTF-8, else as base64: a chunk may end inside a character. */
const bytesSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.base64() }),
])

/** `offsetS` counts from the start of the request. */
const chunkSchema = z.union([
  z.strictObject({ offsetS: z.number().nonnegative(), text: z.string() }),
  z.strictObject({ offsetS: z.number().nonnegative(), base64: z.base64() }),
])

const headersSchema = z.record(z.string(), z.string())

const exchangeSchema = z.strictObject({
  request: z.strictObject({
    method: z.string().min(1),
    path: z.string().startsWith('/'),
    headers: headersSchema,
    body: bytesSchema.optional(),
  }),
  response: z.strictObject({
    status: z.int().min(200).max(599),
    headers: headersSchema,
    chunks: z.array(chunkSchema),
    /** False where the connection broke, or the client went away before the end. */
    isWhole: z.boolean(),
  }),
})

const recordingSchema = z.strictObject({
  format: z.literal('energy-bench-exchanges'),
  version: z.literal(1),
  /** What was recorded: engine, version, flags, date. */
  about: z.record(z.string(), z.string()),
  exchanges: z.array(exchangeSchema),
})

/** Some bytes as they stand in a file. */
export type RecordedBytes = Readonly<z.infer<typeof bytesSchema>>

/** One request and its answer. */
export type RecordedExchange = Readonly<z.infer<typeof exchangeSchema>>

/** What one file holds. */
export type Recording = Readonly<z.infer<typeof recordingSchema>>

/** Checks the text of a file. Throws `record-invalid` that names the first place that is wrong. */
export function parseRecording(text: string): Recording {
  const result = recordingSchema.safeParse(jsonOf(text))
  if (result.success) return result.data
  throw invalidRecording(z.prettifyError(result.error), result.error)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRecording('it is not JSON', cause)
  }
}

function invalidRecording(why: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError('record-invalid', `This is no recording of exchanges: ${why}.`, {
    fix: 'Record the exchanges again with recordExchanges.',
    cause,
  })
}

/** Text of the file that holds a recording. */
export function stringifyRecording(recording: Recording): string {
  return `${JSON.stringify(recording, null, 2)}\n`
}
