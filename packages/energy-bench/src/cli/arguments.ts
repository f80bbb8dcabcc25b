import { InvalidArgumentError } from 'commander'

/** A whole number of 1 or more, for commander. */
export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a whole number of 1 or more.')
  }
  return value
}

/** A whole number, for commander. */
export function integer(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.')
  return value
}

/** A number above 0, for commander. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('It must be a number above 0.')
  }
  return value
}

/** Collects a flag that may be given several times, for commander. */
export function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text]
}

/** Collects a TCP port that may be given several times, for commander. */
export function collectPort(text: string, earlier: readonly number[] = []): readonly number[] {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 1 to 65535.')
  }
  return [...earlier, port]
}
