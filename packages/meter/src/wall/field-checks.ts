import { isEnergyUnit, isPowerUnit, JOULES_IN, WATTS_IN } from './units.js'

/** Says what a field must be, when `value` is not that. */
export type FieldCheck = (value: unknown) => string | undefined

/** Host name or IPv4 address, or IPv6 address in brackets, with or without a port. */
const HOST = /^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/

export const isText: FieldCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty'

/** A password may be empty, a missing one may not be meant. */
export const isSecret: FieldCheck = (value) => (typeof value === 'string' ? undefined : 'a text')

/** A token goes into a header; one read from a file often ends with a line break. */
export const isToken: FieldCheck = (value) =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : 'a text without spaces and line breaks'

export const isFlag: FieldCheck = (value) =>
  typeof value === 'boolean' ? undefined : 'true or false'

export const isName: FieldCheck = (value) =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value)
    ? undefined
    : 'up to 64 letters, digits, dots and dashes'

export const isHost: FieldCheck = (value) => {
  const isValid = typeof value === 'string' && HOST.test(value) && URL.canParse(`http://${value}`)
  return isValid ? undefined : 'a host name or IP address, with :port if needed, without http://'
}

export const isTimeout: FieldCheck = (value) =>
  typeof value === 'number' && value >= 0.01 && value <= 60 ? undefined : 'seconds, 0.01 to 60'

export const isChannel: FieldCheck = (value) => wholeUpTo(value, 31)

export const isDecimals: FieldCheck = (value) => wholeUpTo(value, 5)

export const isAin: FieldCheck = (value) =>
  typeof value === 'string' && /^[0-9A-Fa-f:\- ]{5,40}$/.test(value)
    ? undefined
    : 'the number printed on the plug, such as 11630 0123456'

export const isWebAddress: FieldCheck = (value) => {
  const expected = 'an http or https address without user and password'
  if (typeof value !== 'string' || !URL.canParse(value)) return expected
  const url = new URL(value)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? undefined : expected
}

export const isHeaders: FieldCheck = (value) => {
  const isValid = isRecord(value) && Object.entries(value).every(isHeader)
  return isValid ? undefined : 'an object of header names and texts'
}

export const isPowerPlace: FieldCheck = (value) =>
  isPlace(value, isPowerUnit)
    ? undefined
    : `{ pointer: '/path', unit: ${Object.keys(WATTS_IN).join(' | ')} }`

export const isEnergyPlace: FieldCheck = (value) =>
  isPlace(value, isEnergyUnit)
    ? undefined
    : `{ pointer: '/path', unit: ${Object.keys(JOULES_IN).join(' | ')} }`

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wholeUpTo(value: unknown, max: number): string | undefined {
  const isValid = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max
  return isValid ? undefined : `a whole number, 0 to ${max}`
}

/** What `fetch` would refuse later with a message that shows the value. */
function isHeader([name, value]: readonly [string, unknown]): boolean {
  return (
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) &&
    typeof value === 'string' &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  )
}

function isPlace(value: unknown, isUnit: (unit: string) => boolean): boolean {
  if (!isRecord(value)) return false
  const { pointer, unit, ...rest } = value
  return (
    typeof pointer === 'string' &&
    /^(\/.*)?$/s.test(pointer) &&
    typeof unit === 'string' &&
    isUnit(unit) &&
    Object.keys(rest).length === 0
  )
}
