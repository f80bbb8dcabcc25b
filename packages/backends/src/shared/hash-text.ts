import { createHash } from 'node:crypto'

/** Digest of a text's UTF-8 bytes as `sha256:<hex>`. */
export function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
