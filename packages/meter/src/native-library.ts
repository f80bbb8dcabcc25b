import { type Unavailable, unavailable } from '@energy-bench/spec'
import { koffi } from './koffi.js'

/** What is passed to a C function: numbers, handles, texts and buffers. */
export type NativeValue = number | bigint | string | Uint8Array
/** A C function that gives a return code. */
export type NativeFunction = (...values: NativeValue[]) => number

/** A loaded shared library from which functions are taken by name. */
export interface NativeLibrary {
  readonly path: string
  /** `undefined` when the library does not have the function. `types` are koffi types of the arguments. */
  find(name: string, types: readonly string[]): NativeFunction | undefined
}

/** Memory outside of JavaScript whose address does not change. */
export interface NativeMemory {
  readonly address: bigint
  readonly bytes: Buffer
  free(): void
}

/** Loads the first of `paths` that is there. */
export function loadLibrary(
  paths: readonly string[],
  missing: { readonly name: string; readonly fix: string },
): NativeLibrary | Unavailable {
  const problems: string[] = []
  for (const path of paths) {
    try {
      return wrap(path, koffi().load(path))
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  const detail = `${missing.name} could not be loaded (${problems[0] ?? 'no place to look at'})`
  return unavailable('library-missing', detail, missing.fix)
}

function wrap(path: string, library: ReturnType<ReturnType<typeof koffi>['load']>): NativeLibrary {
  return {
    path,
    find(name, types) {
      try {
        return library.func(name, 'int', [...types])
      } catch {
        // The only way to ask koffi whether a symbol is there.
        return undefined
      }
    },
  }
}

/** Takes the first function that is there: newer libraries rename, older ones lack the new name. */
export function findFirst(
  library: NativeLibrary,
  names: readonly string[],
  types: readonly string[],
): NativeFunction | undefined {
  for (const name of names) {
    const native = library.find(name, types)
    if (native !== undefined) return native
  }
  return undefined
}

/** Takes all functions out of a library, or says which one it lacks. `fix` says which version has them. */
export function findFunctions<Name extends string>(
  library: NativeLibrary,
  signatures: Readonly<Record<Name, readonly string[]>>,
  fix: string,
): Readonly<Record<Name, NativeFunction>> | Unavailable {
  const found = new Map<string, NativeFunction>()
  for (const [name, types] of Object.entries<readonly string[]>(signatures)) {
    const native = library.find(name, types)
    if (native === undefined) {
      return unavailable('driver-mismatch', `${library.path} has no ${name}`, fix)
    }
    found.set(name, native)
  }
  // Each name of the signatures has its function now.
  return Object.fromEntries(found) as Record<Name, NativeFunction>
}

/** Takes zeroed memory, for structs that point at each other. */
export function allocate(bytes: number): NativeMemory {
  const address = koffi().alloc('uint8_t', bytes)
  const view = Buffer.from(koffi().view(address, bytes))
  view.fill(0)
  return { address: BigInt(address), bytes: view, free: () => koffi().free(address) }
}

/** The handles that an enumerating C function gives: asked for their number first, then for themselves. */
export function readHandles(
  list: (count: Buffer, handles: Buffer | bigint) => number,
): readonly bigint[] | number {
  const count = Buffer.alloc(4)
  const first = list(count, 0n)
  if (first !== 0) return first
  const length = count.readUInt32LE()
  const handles = Buffer.alloc(Math.max(8, 8 * length))
  const second = length === 0 ? 0 : list(count, handles)
  if (second !== 0) return second
  const given = Math.min(length, count.readUInt32LE())
  return Array.from({ length: given }, (_, index) => handles.readBigUInt64LE(8 * index))
}
