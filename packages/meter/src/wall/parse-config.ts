import { EnergyBenchError } from '@energy-bench/spec'
import type { WallConfig, WallKind } from './config.js'
import {
  type FieldCheck,
  isAin,
  isChannel,
  isDecimals,
  isEnergyPlace,
  isFlag,
  isHeaders,
  isHost,
  isName,
  isPowerPlace,
  isRecord,
  isSecret,
  isText,
  isTimeout,
  isToken,
  isWebAddress,
} from './field-checks.js'

interface KindFields {
  readonly required: Readonly<Record<string, FieldCheck>>
  readonly optional: Readonly<Record<string, FieldCheck>>
  /** Of these at least one must be there. */
  readonly oneOf?: readonly string[]
}

const HOST = { host: isHost }
const LOGIN = { username: isText, password: isSecret }

const FIELDS: Readonly<Record<WallKind, KindFields>> = {
  'shelly-gen1': { required: HOST, optional: { ...LOGIN, channel: isChannel } },
  shelly: { required: HOST, optional: { password: isSecret, channel: isChannel } },
  tasmota: {
    required: HOST,
    optional: { ...LOGIN, channel: isChannel, energyDecimals: isDecimals },
  },
  kasa: { required: HOST, optional: { childId: isText } },
  tapo: { required: { ...HOST, ...LOGIN }, optional: {} },
  homewizard: { required: HOST, optional: {} },
  'home-assistant': {
    required: { ...HOST, token: isToken },
    optional: { powerEntity: isText, energyEntity: isText, isSecure: isFlag },
    oneOf: ['powerEntity', 'energyEntity'],
  },
  esphome: {
    required: HOST,
    optional: { ...LOGIN, powerSensor: isText, energySensor: isText },
    oneOf: ['powerSensor', 'energySensor'],
  },
  'fritz-dect': {
    required: { ...HOST, ain: isAin, password: isSecret },
    optional: { username: isText },
  },
  'http-json': {
    required: { url: isWebAddress },
    optional: { headers: isHeaders, power: isPowerPlace, energy: isEnergyPlace },
    oneOf: ['power', 'energy'],
  },
}

const COMMON = { name: isName, timeoutS: isTimeout }

/** Checks unknown data against the config of its kind. Throws `usage-invalid`, naming the field and never its value. */
export function parseWallConfig(value: unknown): WallConfig {
  if (!isRecord(value)) throw invalid('the config of a wall plug is no object', kindsFix())
  const { kind, ...fields } = value
  if (!isKind(kind)) throw invalid("the wall plug has no known 'kind'", kindsFix())
  const { required, optional, oneOf = [] } = FIELDS[kind]
  const known = { ...COMMON, ...optional, ...required }
  for (const [field, check] of Object.entries(known)) {
    checkField({ kind, field, value: fields[field] }, check, Object.hasOwn(required, field))
  }
  const stranger = Object.keys(fields).find((field) => !Object.hasOwn(known, field))
  if (stranger !== undefined) {
    throw invalid(`${kind}: unknown field '${stranger}'`, `Use ${Object.keys(known).join(', ')}.`)
  }
  if (oneOf.length > 0 && oneOf.every((field) => fields[field] === undefined)) {
    throw invalid(`${kind}: neither ${quoted(oneOf).join(' nor ')} is there`, 'Give one or both.')
  }
  // Every field was checked against its kind above; undefined ones are dropped.
  return { kind, ...withoutUndefined(fields) } as unknown as WallConfig
}

export function isKind(kind: unknown): kind is WallKind {
  return typeof kind === 'string' && Object.hasOwn(FIELDS, kind)
}

/** What went wrong with a config, without the value, which may be a secret. */
export function invalid(message: string, fix: string): EnergyBenchError {
  return new EnergyBenchError('usage-invalid', message, { fix })
}

export function kindsFix(): string {
  return `Use one of the kinds ${Object.keys(FIELDS).join(', ')}.`
}

interface FieldValue {
  readonly kind: WallKind
  readonly field: string
  readonly value: unknown
}

function checkField({ kind, field, value }: FieldValue, check: FieldCheck, isRequired: boolean) {
  if (value === undefined && !isRequired) return
  const expected = check(value)
  if (expected === undefined) return
  const what = value === undefined ? 'is missing' : `is not valid (${typeof value})`
  throw invalid(`${kind}: the field '${field}' ${what}`, `Give ${field} as ${expected}.`)
}

function quoted(fields: readonly string[]): readonly string[] {
  return fields.map((field) => `'${field}'`)
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
