import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'

/** A file that stays open; `read` gives its present text, from the beginning. */
export interface OpenFile {
  read(): string
  close(): void
}

/** The file operations that the Linux drivers need. They throw as `node:fs` does; tests replace them. */
export interface SysFiles {
  readFile(path: string): string
  list(path: string): readonly string[]
  open(path: string): OpenFile
  /** True for a symbolic link that leads nowhere. */
  isDangling(path: string): boolean
}

/** A file with one number in it, open. */
export interface NumberFile {
  readonly path: string
  read(): number | Unavailable
  close(): void
}

const MAX_NUMBER_BYTES = 64

/** The file system of this machine. */
export const nodeFiles: SysFiles = {
  readFile: (path) => readFileSync(path, 'utf8'),
  list: (path) => readdirSync(path).sort(),
  open(path) {
    const descriptor = openSync(path, 'r')
    const bytes = Buffer.alloc(MAX_NUMBER_BYTES)
    return {
      // Position 0 makes the kernel compute the value anew, without opening the file again.
      read: () => bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, MAX_NUMBER_BYTES, 0)),
      close: () => closeSync(descriptor),
    }
  },
  isDangling(path) {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink && statSync(path, { throwIfNoEntry: false }) === undefined
  },
}

/** The text of a small file without the white space around it. */
export function readText(files: SysFiles, path: string): string | Unavailable {
  try {
    return files.readFile(path).trim()
  } catch (error) {
    return whyUnreadable(error, path)
  }
}

/** The whole number in a file, in the unit of the file. */
export function readNumber(files: SysFiles, path: string): number | Unavailable {
  const text = readText(files, path)
  return isUnavailable(text) ? text : parseNumber(text, path)
}

/** The names in a folder, sorted; none when it cannot be listed. */
export function listNames(files: SysFiles, path: string): readonly string[] {
  try {
    return files.list(path)
  } catch {
    return []
  }
}

/** Opens a file with one number, to be read often. */
export function openNumber(files: SysFiles, path: string): NumberFile | Unavailable {
  try {
    return numberFile(files.open(path), path)
  } catch (error) {
    return whyUnreadable(error, path)
  }
}

function numberFile(file: OpenFile, path: string): NumberFile {
  return {
    path,
    read() {
      try {
        return parseNumber(file.read().trim(), path)
      } catch (error) {
        return whyUnreadable(error, path)
      }
    },
    close: () => file.close(),
  }
}

function parseNumber(text: string, path: string): number | Unavailable {
  if (/^-?\d+$/.test(text)) return Number(text)
  return unavailable('implausible', `${path} holds '${text}', not a whole number`)
}

/** What a failed file operation means. */
function whyUnreadable(error: unknown, path: string): Unavailable {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  const detail = `${path} could not be read (${code})`
  if (code === 'EACCES' || code === 'EPERM') {
    return unavailable('permission-denied', detail, `Run: sudo chmod a+r ${path}`)
  }
  if (code === 'ENOENT' || code === 'EOPNOTSUPP') return unavailable('not-supported', detail)
  if (code === 'ENODEV' || code === 'ENXIO') return unavailable('device-lost', detail)
  if (code === 'ENODATA' || code === 'EAGAIN' || code === 'EBUSY') {
    return unavailable('no-data', detail)
  }
  return unavailable('failed', detail)
}
