import { unknown } from '@energy-bench/spec'
import { z } from 'zod'
import { countSchema, factOf, methodSchema, numberSchema, orUnavailable } from './fact-schemas.js'

const deviceInfoSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['gpu', 'cpu', 'system']),
  name: z.string(),
  driver: orUnavailable(z.string()),
  memoryBytes: orUnavailable(numberSchema),
  powerLimitW: orUnavailable(numberSchema),
  powerLimitDefaultW: orUnavailable(numberSchema),
})

const domainSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['gpu', 'cpu', 'dram', 'ane', 'soc', 'system']),
  method: methodSchema,
  label: z.string(),
  deviceId: z.string(),
  partOf: z.string().exactOptional(),
  scope: z.enum(['workload', 'context']).exactOptional(),
  note: z.string().exactOptional(),
})

export const meterSchema = z.strictObject({
  selection: z.array(z.string()),
  domains: z.array(domainSchema),
  devices: z.array(deviceInfoSchema),
})

/** Stands in reports of before 0.2. */
const notRecorded = unknown('the report is older than this fact')

const flatSchema = z.record(z.string(), z.union([z.string(), numberSchema, z.boolean()]))

export const backendInfoSchema = z.strictObject({
  engine: z.string(),
  engineVersion: factOf(z.string()),
  model: factOf(z.string()),
  modelDigest: factOf(z.string()),
  quantization: factOf(z.string()),
  contextTokens: factOf(numberSchema),
  slots: factOf(numberSchema),
  threads: factOf(numberSchema),
  gpuLayers: factOf(numberSchema),
  deviceUuids: factOf(z.array(z.string())),
  processId: factOf(numberSchema),
  promptCache: factOf(z.enum(['off', 'on'])),
  chatTemplateDigest: factOf(z.string()).default(notRecorded),
  samplingApplied: factOf(flatSchema).default(notRecorded),
  settings: flatSchema,
})

export const taskSchema = z.strictObject({
  id: z.string(),
  version: z.string(),
  digest: z.string(),
  provenance: z.record(z.string(), z.union([z.string(), numberSchema])),
})

export const settingsSchema = z.strictObject({
  repetitions: z.int().min(1),
  warmupItems: countSchema,
  idleS: z.number().min(0),
  settleS: z.number().min(0),
  temperature: z.number().min(0),
  maxOutputTokens: z.int().min(1),
  seed: z.int().exactOptional(),
  thinking: z.enum(['off', 'on', 'low', 'medium', 'high']).exactOptional(),
  itemTimeoutS: z.number().positive().exactOptional(),
})

/** The machine, without anything that names it or its user. */
export const hostSchema = z.strictObject({
  os: z.string(),
  arch: z.string(),
  cpuModel: z.string(),
  cores: countSchema,
  memoryBytes: countSchema,
  /** One-minute load average when the measurement began. */
  loadAverage: numberSchema,
  nodeVersion: z.string(),
})
