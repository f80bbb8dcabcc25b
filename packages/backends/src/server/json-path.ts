/** Value at a path of keys and indexes in parsed JSON, undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((parent, key) => (isRecord(parent) ? parent[key] : undefined), value)
}

/** Text at a path, undefined for anything else and for empty text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Finite number at a path, undefined for anything else. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

/** Parsed JSON, `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
