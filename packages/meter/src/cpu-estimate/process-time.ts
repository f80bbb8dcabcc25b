import { readFile } from 'node:fs/promises'
import { type Unavailable, unavailable } from '@energy-bench/spec'

/** USER_HZ, which Linux fixes for programs on all its usual platforms. */
const TICKS_PER_SECOND = 100

/** CPU time that a process has used so far, seconds; the own process is asked directly, others through /proc. */
export async function processTimeS(processId: number): Promise<number | Unavailable> {
  if (processId === process.pid) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  if (process.platform !== 'linux') {
    return unavailable(
      'not-supported',
      `CPU time of another process is not read on ${process.platform}`,
    )
  }
  return readFile(`/proc/${processId}/stat`, 'utf8').then(
    (text) =>
      parseProcessTimeS(text) ??
      unavailable('failed', `/proc/${processId}/stat was not understood`),
    (error: Error) =>
      unavailable(
        'no-data',
        `process ${processId} cannot be read (${error.message})`,
        'Is it still running?',
      ),
  )
}

/** User plus system time in the text of /proc/<pid>/stat, seconds. The name in it may hold spaces and brackets. */
export function parseProcessTimeS(text: string): number | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : undefined
}
