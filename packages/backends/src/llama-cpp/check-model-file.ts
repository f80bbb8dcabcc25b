import { open, stat } from 'node:fs/promises'
import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { headerProblem } from './check-header.js'

/** Rejects with `model-invalid` unless the path is a file with a whole GGUF header. */
export async function checkModelFile(path: string): Promise<void> {
  const info = await stat(path).catch((cause: unknown) => {
    throw modelInvalid(`The model file "${path}" cannot be read: ${messageOf(cause)}.`, cause)
  })
  if (info.isDirectory()) throw modelInvalid(`"${path}" is a folder, not a model file.`)
  const magic = await firstBytes(path, 4)
  if (magic !== 'GGUF') {
    throw modelInvalid(`"${path}" is not a GGUF file: it begins with ${JSON.stringify(magic)}.`)
  }
  const problem = await headerProblem(path)
  if (problem !== undefined) throw modelInvalid(`The header of "${path}" is damaged: ${problem}.`)
}

/** Makes the error for a model that cannot be used. */
export function modelInvalid(message: string, cause?: unknown): EnergyBenchError {
  return new EnergyBenchError('model-invalid', message, {
    fix: 'Give the path of a complete .gguf file; download it again if it is damaged.',
    cause,
  })
}

async function firstBytes(path: string, length: number): Promise<string> {
  await using file = await open(path).catch((cause: unknown) => {
    throw modelInvalid(`The model file "${path}" cannot be read: ${messageOf(cause)}.`, cause)
  })
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
  return buffer.toString('latin1', 0, bytesRead)
}
