import { EnergyBenchError } from '@energy-bench/spec'

const fixes: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space on this disk and run again.',
  EDQUOT: 'Free some of your disk quota and run again.',
  ENOENT: 'Make the folder first.',
  EACCES: 'Choose a folder that you may write to.',
  EROFS: 'Choose a folder that you may write to.',
}

/** A `save-failed` error that names the path and what the system said. */
export function saveFailed(path: string, cause: unknown): EnergyBenchError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const said = cause instanceof Error ? cause.message : String(cause)
  return new EnergyBenchError('save-failed', `Could not write ${path}: ${said}.`, {
    fix: fixes[code] ?? 'Choose another path.',
    cause,
  })
}
