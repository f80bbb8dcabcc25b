import { readFile, rename, writeFile } from 'node:fs/promises'
import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { parseRecording, type Recording, stringifyRecording } from './recording-schema.js'

/** Writes a recording, whole or not at all. */
export async function saveRecording(path: string, recording: Recording): Promise<void> {
  const half = `${path}.half`
  try {
    await writeFile(half, stringifyRecording(recording))
    await rename(half, path)
  } catch (cause) {
    throw new EnergyBenchError('save-failed', `${path} was not written: ${messageOf(cause)}`, {
      fix: 'Name a file in a folder that exists and may be written.',
      cause,
    })
  }
}

/** Reads a recording. Rejects with `record-invalid` where the file is not there or not one. */
export async function loadRecording(path: string): Promise<Recording> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new EnergyBenchError('record-invalid', `${path} was not read: ${messageOf(cause)}`, {
      fix: 'Name a file that saveRecording wrote.',
      cause,
    })
  })
  return parseRecording(text)
}
