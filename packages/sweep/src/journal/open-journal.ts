import { type FileHandle, open } from 'node:fs/promises'
import { saveFailed } from '../save-failed.js'
import type { JournalLine } from './lines.js'

/** A file that only grows, one JSON line at a time. */
export interface Journal extends AsyncDisposable {
  /** Resolves once the line is on the disk. Lines keep the order of the calls. */
  append(line: JournalLine): Promise<void>
}

/** Opens a journal for appending and makes it if it is not there. Failures have code `save-failed`. */
export async function openJournal(path: string): Promise<Journal> {
  const file = await openForAppend(path)
  let last: Promise<void> = Promise.resolve()
  const close = async () => {
    await Promise.allSettled([last])
    await file.close()
  }
  return {
    append(line) {
      last = writeAfter(last, { file, path, text: `${JSON.stringify(line)}\n` })
      return last
    },
    [Symbol.asyncDispose]: close,
  }
}

async function openForAppend(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'a+')
    await closeCutLine(file)
    return file
  } catch (error) {
    throw saveFailed(path, error)
  }
}

/** A crash can leave half a line. A new line must not grow onto it. */
async function closeCutLine(file: FileHandle): Promise<void> {
  const stats = await file.stat()
  if (!stats.isFile() || stats.size === 0) return
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, stats.size - 1)
  if (buffer.toString() !== '\n') await file.write('\n')
}

interface Write {
  readonly file: FileHandle
  readonly path: string
  readonly text: string
}

async function writeAfter(previous: Promise<void>, { file, path, text }: Write): Promise<void> {
  // The earlier line has told its own caller if it failed.
  await Promise.allSettled([previous])
  try {
    await file.appendFile(text)
    await file.sync()
  } catch (error) {
    throw saveFailed(path, error)
  }
}
