import type { Level } from './item.js'
import type { PythonRandom } from './python-random.js'

/** A whole number from `low` to `high`, both included. */
export function drawInt(rng: PythonRandom, low: number, high: number): number {
  return low + Math.floor(rng.random() * (high - low + 1))
}

/** One element of a list that is not empty. */
export function choose<T>(rng: PythonRandom, values: readonly T[]): T {
  return pick(values, Math.floor(rng.random() * values.length))
}

/** The element at a position that is known to exist. */
export function pick<T>(values: readonly T[], position: number): T {
  return values[position] as T
}

/** The value that belongs to the level. */
export function byLevel<T>(level: Level, values: readonly [T, T, T]): T {
  return values[(level - 1) as 0 | 1 | 2]
}

/** The whole numbers from `low` to `high`, both included. */
export function range(low: number, high: number): number[] {
  return Array.from({ length: high - low + 1 }, (_, i) => low + i)
}

/** Puts values in place of the `{placeholders}` of a template. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** Chooses one template and fills it. */
export function chooseAndFill(
  rng: PythonRandom,
  choices: readonly string[],
  values: Readonly<Record<string, string | number>>,
): string {
  return fill(choose(rng, choices), values)
}
