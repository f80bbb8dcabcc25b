import type { NativeMemory } from '../native-library.js'
import type { PowerScope, ScopedCounter } from './power-domains.js'

const PCI_PROPERTIES = 0x2
const POWER_PROPERTIES = 0xd
const POWER_EXT_PROPERTIES = 0x28
const PCI_BYTES = 256
/** Offset of the second struct; the first one has 40 bytes. */
const EXT_AT = 64
/** Offset of the limit that the second struct points at; 48 bytes. Some drivers write to it unasked. */
const LIMIT_AT = 128
const SCOPES: readonly PowerScope[] = ['unknown', 'card', 'package', 'stack', 'memory', 'gpu']

/** Bytes for a `zes_power_properties_t` with the `zes_power_ext_properties_t` that it points at, and its limit. */
export const POWER_QUERY_BYTES = 256

/** Writes the empty structs that ask what a power domain is. */
export function fillPowerQuery(memory: NativeMemory): void {
  const { bytes, address } = memory
  bytes.fill(0)
  bytes.writeUInt32LE(POWER_PROPERTIES, 0)
  bytes.writeBigUInt64LE(address + BigInt(EXT_AT), 8)
  bytes.writeUInt32LE(POWER_EXT_PROPERTIES, EXT_AT)
  bytes.writeBigUInt64LE(address + BigInt(LIMIT_AT), EXT_AT + 24)
}

/** What the filled structs say about a power domain; a driver without the second struct leaves it `unknown`. */
export function readPowerScope(bytes: Buffer): ScopedCounter {
  return {
    scope: SCOPES[bytes.readUInt32LE(EXT_AT + 16)] ?? 'unknown',
    isTile: bytes.readUInt8(16) !== 0,
  }
}

/** The bus address in a `zes_pci_properties_t` that `fill` fills; undefined when that fails. */
export function readBdf(fill: (properties: Buffer) => number): string | undefined {
  const bytes = Buffer.alloc(PCI_BYTES)
  bytes.writeUInt32LE(PCI_PROPERTIES, 0)
  if (fill(bytes) !== 0) return undefined
  const hex = (offset: number, digits: number): string =>
    bytes.readUInt32LE(offset).toString(16).padStart(digits, '0')
  return `${hex(16, 4)}:${hex(20, 2)}:${hex(24, 2)}.${hex(28, 1)}`
}
