import { mismatch } from './failure.js'

/** The value at `path` of parsed JSON, `undefined` where there is none. Never looks at inherited properties. */
export function fieldAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return
    current = Reflect.get(current, key)
  }
  return current
}

/** No other notation is a reading: `Number` would also take `0x10` for 16 and an empty text for 0. */
const DECIMAL = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i
const NO_NUMBER = /^[-+]?(nan|inf(inity)?)$/i

/** A number, or a decimal text; `nan` and `inf` count as one, to be refused as implausible and not as missing. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return
  const text = value.trim()
  if (NO_NUMBER.test(text)) return Number.NaN
  return DECIMAL.test(text) ? Number(text) : undefined
}

/** Smallest step that a number shows: 0.01 for `1.25`. Trailing zeros may be cut off, so that it can be too large. */
export function stepShown(value: unknown): number {
  const decimals = /^[-+]?\d*\.(\d+)$/.exec(String(value).trim())?.[1] ?? ''
  return 10 ** -decimals.length
}

/** The number at `path`, or a failure that names the field. `device` is what was expected, for the fix. */
export function numberAt(
  value: unknown,
  path: readonly (string | number)[],
  device: string,
): number {
  const number = asNumber(fieldAt(value, ...path))
  if (number !== undefined) return number
  throw mismatch(
    `the answer has no number at '${path.join('.')}'`,
    `Check that the host is a ${device}.`,
  )
}
