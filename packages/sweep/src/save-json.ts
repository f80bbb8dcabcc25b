import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { saveFailed } from './save-failed.js'

/** Writes a value as JSON, whole or not at all: a temporary file in the same folder, synced, then renamed. */
export async function saveJson(path: string, value: unknown): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`)
  // A second Ctrl-C ends the process in the middle of this; the half file must go with it.
  const removeHalf = () => rmSync(temporary, { force: true })
  process.once('exit', removeHalf)
  try {
    await writeSynced(temporary, `${JSON.stringify(value, null, 2)}\n`)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw saveFailed(path, error)
  } finally {
    process.off('exit', removeHalf)
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx')
  await file.writeFile(text)
  await file.sync()
}
