import { type FileHandle, open } from 'node:fs/promises'

/** Sizes of the fixed-length value types of GGUF, bytes, by type number. 8 is a string, 9 an array. */
const valueBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}
const stringType = 8
const arrayType = 9
const bufferBytes = 1 << 16

/**
 * Walks the header of a GGUF file and says what is wrong with it, or nothing. Every length is held against what is
 * left of the file, since readers trust these lengths: one damaged byte made one allocate 500 MB.
 * Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export async function headerProblem(path: string): Promise<string | undefined> {
  await using file = await open(path)
  const { size } = await file.stat()
  try {
    await walk(createCursor(file, size))
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

async function walk(cursor: Cursor): Promise<void> {
  await cursor.skip(4)
  const version = await cursor.u32()
  if (version < 2 || version > 3) throw new RangeError(`its version is ${version}, not 2 or 3`)
  const tensors = await cursor.count(24)
  const pairs = await cursor.count(12)
  for (let pair = 0; pair < pairs; pair += 1) {
    await cursor.skip(await cursor.count(1))
    await skipValue(cursor, await cursor.u32())
  }
  for (let tensor = 0; tensor < tensors; tensor += 1) {
    await cursor.skip(await cursor.count(1))
    await cursor.skip(8 * (await cursor.u32()))
    await cursor.skip(12)
  }
}

async function skipValue(cursor: Cursor, type: number): Promise<void> {
  if (type === stringType) return cursor.skip(await cursor.count(1))
  if (type === arrayType) return skipArray(cursor)
  return cursor.skip(bytesOf(type))
}

async function skipArray(cursor: Cursor): Promise<void> {
  const type = await cursor.u32()
  const isFixed = type !== stringType && type !== arrayType
  const values = await cursor.count(isFixed ? bytesOf(type) : 8)
  if (isFixed) return cursor.skip(values * bytesOf(type))
  for (let value = 0; value < values; value += 1) await skipValue(cursor, type)
}

function bytesOf(type: number): number {
  const bytes = valueBytes[type]
  if (bytes === undefined) throw new RangeError(`a value has the unknown type ${type}`)
  return bytes
}

/** Reads forward and never past the end. */
interface Cursor {
  skip(bytes: number): Promise<void>
  u32(): Promise<number>
  /** A 64-bit count of things of at least so many bytes each. */
  count(bytesEach: number): Promise<number>
}

function createCursor(file: FileHandle, size: number): Cursor {
  const buffer = Buffer.alloc(bufferBytes)
  let bufferAt = 0
  let buffered = 0
  let at = 0
  const advance = (bytes: number): number => {
    if (bytes > size - at) {
      throw new RangeError(`${bytes} bytes are announced at byte ${at}, and ${size - at} are left`)
    }
    at += bytes
    return at - bytes
  }
  const take = async (bytes: number): Promise<number> => {
    const from = advance(bytes)
    if (from < bufferAt || from + bytes > bufferAt + buffered) {
      bufferAt = from
      buffered = (await file.read(buffer, 0, bufferBytes, from)).bytesRead
    }
    return from - bufferAt
  }
  return {
    async skip(bytes) {
      advance(bytes)
    },
    u32: async () => buffer.readUInt32LE(await take(4)),
    async count(bytesEach) {
      const count = Number(buffer.readBigUInt64LE(await take(8)))
      if (count * bytesEach > size - at) {
        throw new RangeError(
          `${count} parts are announced at byte ${at}, and ${size - at} bytes are left`,
        )
      }
      return count
    },
  }
}
