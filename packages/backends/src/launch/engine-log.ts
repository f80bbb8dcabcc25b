import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'

const tailBytes = 1 << 16

/**
 * What an engine writes. It goes to a file without passing this process, so that an engine that writes much neither
 * waits for this process nor costs it time in a measurement.
 */
export interface EngineLog {
  readonly path: string
  /** Descriptor for the engine to write to. */
  readonly descriptor: number
  /** Closes the descriptor here; the engine has its own. */
  closeDescriptor(): Promise<void>
  /** The last lines of this engine, oldest first. */
  lastLines(count: number): Promise<readonly string[]>
  /** Deletes the file if it was made here; its last lines stay known. */
  discard(): Promise<void>
}

/** Opens the log of an engine: at the end of a file that the caller names, else in a new temporary folder. */
export async function openEngineLog(wanted?: string): Promise<EngineLog> {
  const folder = wanted === undefined ? await mkdtemp(join(tmpdir(), 'energy-bench-')) : undefined
  const path = wanted ?? join(folder ?? '', 'engine.log')
  const file = await open(path, 'a').catch((error: unknown) => {
    throw unwritable(path, error)
  })
  const { size: startBytes } = await file.stat()
  let kept: readonly string[] | undefined
  return {
    path,
    descriptor: file.fd,
    closeDescriptor: () => file.close(),
    lastLines: async (count) => (kept ?? (await readTail(path, startBytes))).slice(-count),
    async discard() {
      if (folder === undefined || kept !== undefined) return
      kept = await readTail(path, startBytes)
      await rm(folder, { recursive: true })
    },
  }
}

async function readTail(path: string, startBytes: number): Promise<readonly string[]> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const fromBytes = Math.max(startBytes, size - tailBytes)
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(tailBytes),
      position: fromBytes,
    })
    const text = stripVTControlCharacters(buffer.subarray(0, bytesRead).toString('utf8'))
    return text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  } finally {
    await file.close()
  }
}

function unwritable(path: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError('save-failed', `The log cannot be written: ${messageOf(cause)}.`, {
    fix: `Make the folder of ${path}, or choose another logPath.`,
    cause,
  })
}
