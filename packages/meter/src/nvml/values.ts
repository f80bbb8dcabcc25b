/** Types of the values that NVML gives in a union (nvmlValueType_t). */
export const NVML_VALUE_U64 = 3

type Read = (bytes: Buffer, offset: number) => number

const u32: Read = (bytes, offset) => bytes.readUInt32LE(offset)
const u64: Read = (bytes, offset) => Number(bytes.readBigUInt64LE(offset))

/** By nvmlValueType_t; `unsigned long` (2) has 4 bytes on Windows and 8 elsewhere. */
function readers(platform: NodeJS.Platform): readonly Read[] {
  return [
    (bytes, offset) => bytes.readDoubleLE(offset),
    u32,
    platform === 'win32' ? u32 : u64,
    u64,
    (bytes, offset) => Number(bytes.readBigInt64LE(offset)),
    (bytes, offset) => bytes.readInt32LE(offset),
    (bytes, offset) => bytes.readUInt16LE(offset),
  ]
}

/** The number in a union of NVML; `undefined` for a type that is not known, whose bytes would mean nothing. */
export function readNvmlValue(
  bytes: Buffer,
  { offset, type }: { readonly offset: number; readonly type: number },
  platform: NodeJS.Platform = process.platform,
): number | undefined {
  return readers(platform)[type]?.(bytes, offset)
}
