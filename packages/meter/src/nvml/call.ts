import type { Unavailable } from '@energy-bench/spec'
import type { NativeFunction, NativeValue } from '../native-library.js'
import { NVML_SUCCESS, nvmlFailure } from './status.js'

const FUNCTION_NOT_FOUND = 13
const TEXT_BYTES = 96

/** Calls an NVML function that may be missing; gives nothing when it went well, so that `??` reads the buffer next. */
export function callNvml(
  name: string,
  native: NativeFunction | undefined,
  values: readonly NativeValue[],
): Unavailable | undefined {
  const code = native === undefined ? FUNCTION_NOT_FOUND : native(...values)
  return code === NVML_SUCCESS ? undefined : nvmlFailure(name, code)
}

/** Calls an NVML function that fills a text. */
export function readText(
  name: string,
  native: NativeFunction | undefined,
  values: readonly NativeValue[],
): string | Unavailable {
  const out = Buffer.alloc(TEXT_BYTES)
  return callNvml(name, native, [...values, out, TEXT_BYTES]) ?? textIn(out)
}

/** The zero-terminated text at the beginning of the bytes. */
export function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}
