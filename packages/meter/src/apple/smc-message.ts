import { type Unavailable, unavailable } from '@energy-bench/spec'

/** Size, type and attributes of a value of the system management controller. */
export interface SmcKeyInfo {
  readonly sizeBytes: number
  /** Four characters, for example `flt `. */
  readonly type: string
  readonly attributes: number
}

/** What a message asks for. */
export type SmcCommand = 'info' | 'read'

/** Bytes of a message, in and out. */
export const SMC_MESSAGE_BYTES = 80

const AT = { key: 0, size: 28, type: 32, attributes: 36, result: 40, command: 42, value: 48 }
const COMMANDS: Readonly<Record<SmcCommand, number>> = { info: 9, read: 5 }
const KEY_NOT_FOUND = 132

/** Writes a message. A `read` carries the info that an `info` message gave. */
export function smcRequest(key: string, command: SmcCommand, info?: SmcKeyInfo): Buffer {
  const message = Buffer.alloc(SMC_MESSAGE_BYTES)
  message.writeUInt32LE(packed(key), AT.key)
  message.writeUInt8(COMMANDS[command], AT.command)
  if (info === undefined) return message
  message.writeUInt32LE(info.sizeBytes, AT.size)
  message.writeUInt32LE(packed(info.type), AT.type)
  message.writeUInt8(info.attributes, AT.attributes)
  return message
}

/** Why an answer holds nothing, or `undefined` when it is good. */
export function smcFailure(answer: Buffer, key: string): Unavailable | undefined {
  const result = answer.readUInt8(AT.result)
  if (result === 0) return undefined
  if (result === KEY_NOT_FOUND) return unavailable('not-supported', `the SMC has no key ${key}`)
  return unavailable('failed', `the SMC answered ${result} for ${key}`)
}

/** Reads size, type and attributes from the answer to an `info` message. */
export function smcKeyInfo(answer: Buffer): SmcKeyInfo {
  return {
    sizeBytes: answer.readUInt32LE(AT.size),
    type: unpacked(answer.readUInt32LE(AT.type)),
    attributes: answer.readUInt8(AT.attributes),
  }
}

/** Reads the number from the answer to a `read` message. Floats are little-endian, integers big-endian. */
export function smcNumber(answer: Buffer, info: SmcKeyInfo): number | Unavailable {
  const shape = `${info.type}:${info.sizeBytes}`
  const read = READERS[shape]
  return read?.(answer) ?? unavailable('not-supported', `the SMC type ${shape} is not known`)
}

const READERS: Readonly<Record<string, (answer: Buffer) => number>> = {
  'flt :4': (answer) => answer.readFloatLE(AT.value),
  'ui8 :1': (answer) => answer.readUInt8(AT.value),
  'ui16:2': (answer) => answer.readUInt16BE(AT.value),
  'ui32:4': (answer) => answer.readUInt32BE(AT.value),
  'si8 :1': (answer) => answer.readInt8(AT.value),
  'si16:2': (answer) => answer.readInt16BE(AT.value),
  'si32:4': (answer) => answer.readInt32BE(AT.value),
}

/** Four characters as one number, the first in the highest byte. */
function packed(text: string): number {
  return Buffer.from(text, 'latin1').readUInt32BE()
}

function unpacked(code: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(code)
  return bytes.toString('latin1')
}
