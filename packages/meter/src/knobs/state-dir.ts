import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Folder of the lock files: `XDG_STATE_HOME/energy-bench`, else `~/.local/state/energy-bench`. One per user. */
export function defaultStateDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): string {
  const base = env.XDG_STATE_HOME
  // The XDG rules: a relative path is to be ignored.
  const isUsable = base !== undefined && isAbsolute(base)
  return join(isUsable ? base : join(home, '.local', 'state'), 'energy-bench')
}
