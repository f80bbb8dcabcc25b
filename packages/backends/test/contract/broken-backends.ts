import type { Backend } from '@energy-bench/spec'
import { brokenLifetimes } from './broken-lifetimes.js'
import { brokenOutputs } from './broken-outputs.js'

/** One backend a check, broken in exactly the way that the check is for. */
export const brokenBackends: Readonly<Record<string, () => Backend>> = {
  ...brokenLifetimes,
  ...brokenOutputs,
}
