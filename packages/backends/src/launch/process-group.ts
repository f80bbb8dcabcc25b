import { readdir, readFile } from 'node:fs/promises'
import { EnergyBenchError } from '@energy-bench/spec'
import { sleep } from '../shared/sleep.js'

const pollS = 0.02
/** A killed process can be held by a driver that still gives memory back. */
const killWaitS = 30

/** Asks a process group to end, kills it after `graceS`, and resolves when none of its processes runs any more. */
export async function stopGroup(groupId: number, graceS: number): Promise<void> {
  signalGroup(groupId, 'SIGTERM')
  if (await isGoneWithin(groupId, graceS)) return
  signalGroup(groupId, 'SIGKILL')
  if (await isGoneWithin(groupId, killWaitS)) return
  throw new EnergyBenchError(
    'backend-failed',
    `Process group ${groupId} still runs ${killWaitS} s after it was killed.`,
    { fix: 'A driver holds it: see what ps says, and restart the machine if it stays.' },
  )
}

/** Sends a signal to every process of a group; 0 only asks. False when there is none to send it to. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-groupId, signal)
  } catch {
    return false
  }
}

async function isGoneWithin(groupId: number, limitS: number): Promise<boolean> {
  const deadlineMs = performance.now() + limitS * 1000
  while (await isAlive(groupId)) {
    if (performance.now() >= deadlineMs) return false
    await sleep(pollS)
  }
  return true
}

/** Processes that ended and that nobody waits for do not count: in a container they may stay until it ends. */
async function isAlive(groupId: number): Promise<boolean> {
  if (!signalGroup(groupId, 0)) return false
  const names = await readdir('/proc').catch(() => [])
  const processIds = names.filter((name) => /^\d+$/.test(name))
  // Without /proc, the signal has to be believed.
  if (processIds.length === 0) return true
  const stats = await Promise.all(processIds.map(readStat))
  return stats.some((stat) => stat.groupId === groupId && stat.state !== 'Z')
}

/** After the name in brackets, which may hold anything, come state, parent and group. */
async function readStat(
  processId: string,
): Promise<{ readonly state?: string | undefined; readonly groupId?: number }> {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '')
  const [state, , groupId] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state, groupId: Number(groupId) }
}
