const STRING = 8
const ARRAY = 9
// Bytes of each value type of fixed size, by its number in the GGUF format.
const fixedSizes = new Map([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [5, 4],
  [6, 4],
  [7, 1],
  [10, 8],
  [11, 8],
  [12, 8],
])

/** The texts in the metadata of a GGUF file, by key. */
export function readGgufTexts(file: Buffer): ReadonlyMap<string, string> {
  const cursor = { file, position: 16 } // magic, version and number of tensors come before
  const count = readLength(cursor)
  const texts = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const key = readString(cursor)
    const value = readValue(cursor, readType(cursor))
    if (value !== undefined) texts.set(key, value)
  }
  return texts
}

interface Cursor {
  readonly file: Buffer
  position: number
}

function readValue(cursor: Cursor, type: number): string | undefined {
  if (type === STRING) return readString(cursor)
  if (type === ARRAY) skipArray(cursor)
  else cursor.position += fixedSizes.get(type) ?? Number.NaN
  return undefined
}

function skipArray(cursor: Cursor): void {
  const type = readType(cursor)
  const count = readLength(cursor)
  for (let i = 0; i < count; i++) readValue(cursor, type)
}

function readString(cursor: Cursor): string {
  const length = readLength(cursor)
  cursor.position += length
  return cursor.file.toString('utf8', cursor.position - length, cursor.position)
}

function readLength(cursor: Cursor): number {
  cursor.position += 8
  return Number(cursor.file.readBigUInt64LE(cursor.position - 8))
}

function readType(cursor: Cursor): number {
  cursor.position += 4
  return cursor.file.readUInt32LE(cursor.position - 4)
}
