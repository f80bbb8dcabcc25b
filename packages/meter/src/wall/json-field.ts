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

/** A number, or a text that is one; `nan` counts as a number, to be refused as implausible and not as missing. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return
  if (/^\s*[-+]?nan\s*$/i.test(value)) return Number.NaN
  const number = Number(value)
  return Number.isNaN(number) ? undefined : number
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
