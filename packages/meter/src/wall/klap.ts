import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'

/** The three secrets that a KLAP session is made of. */
export interface KlapSeeds {
  readonly localSeed: Uint8Array
  readonly remoteSeed: Uint8Array
  readonly authHash: Uint8Array
}

/** Keys of one session. */
export interface KlapKeys {
  readonly key: Buffer
  readonly vector: Buffer
  readonly signing: Buffer
  /** Number before that of the first request, signed 32 bits. */
  readonly firstSequence: number
}

const SIGNATURE_BYTES = 32

/** One version of the protocol: how user name and password are hashed, and what each side proves with it. */
export interface KlapVersion {
  readonly version: 1 | 2
  authHash(username: string, password: string): Buffer
  /** What the plug must send in the first handshake to show that it knows the same password. */
  serverProof(seeds: KlapSeeds): Buffer
  /** What the client sends in the second handshake. */
  clientProof(seeds: KlapSeeds): Buffer
}

/** Tapo plugs, and Kasa plugs of the same family. */
const version2: KlapVersion = {
  version: 2,
  authHash: (username, password) => sha256(hash('sha1', username), hash('sha1', password)),
  serverProof: ({ localSeed, remoteSeed, authHash }) => sha256(localSeed, remoteSeed, authHash),
  clientProof: ({ localSeed, remoteSeed, authHash }) => sha256(remoteSeed, localSeed, authHash),
}

/** Kasa plugs whose newer firmware left port 9999. Each proof is made with the seed of the other side alone. */
const version1: KlapVersion = {
  version: 1,
  authHash: (username, password) =>
    hash('md5', Buffer.concat([hash('md5', username), hash('md5', password)])),
  serverProof: ({ localSeed, authHash }) => sha256(localSeed, authHash),
  clientProof: ({ remoteSeed, authHash }) => sha256(remoteSeed, authHash),
}

/** All versions, in the order of trying. What follows the handshakes is the same in both. */
export const klapVersions: readonly KlapVersion[] = [version2, version1]

export function klapKeys({ localSeed, remoteSeed, authHash }: KlapSeeds): KlapKeys {
  const derive = (label: string) => sha256(Buffer.from(label), localSeed, remoteSeed, authHash)
  const vector = derive('iv')
  return {
    key: derive('lsk').subarray(0, 16),
    vector: vector.subarray(0, 12),
    signing: derive('ldk').subarray(0, 28),
    firstSequence: vector.readInt32BE(28),
  }
}

/** Signature and cipher text of one message. */
export function klapEncrypt(keys: KlapKeys, sequence: number, text: string): Buffer {
  const cipher = createCipheriv('aes-128-cbc', keys.key, vectorOf(keys, sequence))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([sha256(keys.signing, int32(sequence), encrypted), encrypted])
}

/**
 * Text of one message; throws when it was not made with these keys.
 *
 * The signature of an answer is not checked: no source says that every firmware signs it in the same way.
 */
export function klapDecrypt(keys: KlapKeys, sequence: number, message: Uint8Array): string {
  const decipher = createDecipheriv('aes-128-cbc', keys.key, vectorOf(keys, sequence))
  const encrypted = message.subarray(SIGNATURE_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
}

function vectorOf(keys: KlapKeys, sequence: number): Buffer {
  return Buffer.concat([keys.vector, int32(sequence)])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat(parts))
}

function hash(algorithm: string, data: string | Uint8Array): Buffer {
  return createHash(algorithm).update(data).digest()
}
