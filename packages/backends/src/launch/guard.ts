import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'

/**
 * Reads a process group, then waits. A second line means that the group was stopped in order. The end of the pipe
 * means that the process that held it is gone, however it went.
 */
const script = `
read -r group || exit 0
read -r stopped && exit 0
kill -s TERM -- "-$group" 2>/dev/null
tenths=0
while [ "$tenths" -lt "$1" ] && kill -s 0 -- "-$group" 2>/dev/null; do
  sleep 0.1
  tenths=$((tenths + 1))
done
kill -s KILL -- "-$group" 2>/dev/null
`

/** Stops an engine when this process goes without doing so. */
export interface Guard {
  /** Must be called in the same turn in which the group is made. */
  watch(groupId: number): void
  /** Ends the guard without stopping anything. */
  release(): void
}

/**
 * Starts a guard: a shell that holds the read end of a pipe, in a session of its own, so that no signal to this
 * process or its terminal reaches it. It sees every kind of death, a `kill -9` too, needs no signal handler here, and
 * costs 2 MB and no CPU time while a measurement runs; a Node process would cost 40 MB.
 */
export async function startGuard(graceS: number): Promise<Guard> {
  const tenths = String(Math.ceil(graceS * 10))
  const child = spawn('/bin/sh', ['-c', script, 'energy-bench-guard', tenths], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(child, 'spawn')
  const { stdin } = child
  // A guard that somebody killed cannot be told anything.
  stdin.on('error', () => {})
  child.unref()
  if (stdin instanceof Socket) stdin.unref()
  return {
    watch: (groupId) => void stdin.write(`${groupId}\n`),
    release: () => void stdin.end('stopped\n'),
  }
}
