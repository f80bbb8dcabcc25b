const FIRST_KEY = 171
const HEADER_BYTES = 4

/** Each byte is combined with the cipher byte before it; the first with 171. */
export function encryptKasa(text: string): Buffer {
  const plain = Buffer.from(text, 'utf8')
  const cipher = Buffer.alloc(plain.length)
  let key = FIRST_KEY
  for (const [index, byte] of plain.entries()) {
    key ^= byte
    cipher[index] = key
  }
  return cipher
}

/** Reverse of `encryptKasa`. */
export function decryptKasa(cipher: Uint8Array): string {
  const plain = Buffer.alloc(cipher.length)
  let key = FIRST_KEY
  for (const [index, byte] of cipher.entries()) {
    plain[index] = key ^ byte
    key = byte
  }
  return plain.toString('utf8')
}

/** Frame of the TCP stream: length of the cipher text (4 bytes, big endian), then the cipher text. */
export function frameKasa(text: string): Buffer {
  const cipher = encryptKasa(text)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(cipher.length)
  return Buffer.concat([header, cipher])
}

/** Text of the first frame in `bytes`; `undefined` while it is not complete. Throws when it is too long to be one. */
export function unframeKasa(bytes: Buffer, maxBytes: number): string | undefined {
  if (bytes.length < HEADER_BYTES) return
  const length = bytes.readUInt32BE()
  if (length > maxBytes) throw new RangeError(`frame of ${length} bytes`)
  if (bytes.length < HEADER_BYTES + length) return
  return decryptKasa(bytes.subarray(HEADER_BYTES, HEADER_BYTES + length))
}
