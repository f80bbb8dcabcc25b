import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Digest of a file's bytes as `sha256:<hex>`, read in pieces so that large weights fit. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const stream = createReadStream(path, { highWaterMark: 1 << 20 })
  for await (const chunk of stream) {
    signal?.throwIfAborted()
    hash.update(chunk)
  }
  return `sha256:${hash.digest('hex')}`
}
