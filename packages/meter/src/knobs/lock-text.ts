import { readFileSync, rmSync } from 'node:fs'

/** The text of a lock file; `undefined` when there is none. Any other trouble gives a text that is no lock. */
export function readLockText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? undefined : String(error)
  }
}

/** Removes a lock file, unless it has another text by now and so another owner. */
export function removeLock(path: string, text: string): void {
  if (readLockText(path) === text) rmSync(path, { force: true })
}
