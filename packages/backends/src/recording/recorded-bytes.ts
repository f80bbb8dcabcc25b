import type { RecordedBytes } from './recording-schema.js'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes in the form in which they stand in a file. */
export function encodeBytes(bytes: Uint8Array): RecordedBytes {
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}

/** The bytes again. */
export function decodeBytes(recorded: RecordedBytes): Uint8Array {
  return 'text' in recorded
    ? new TextEncoder().encode(recorded.text)
    : new Uint8Array(Buffer.from(recorded.base64, 'base64'))
}
