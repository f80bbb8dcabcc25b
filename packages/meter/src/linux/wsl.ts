import { isUnavailable } from '@energy-bench/spec'
import { readText, type SysFiles } from './sysfs.js'

/** True inside the Windows Subsystem for Linux, whose kernel names Microsoft in its release. */
export function isWsl(files: SysFiles, procRoot: string): boolean {
  const release = readText(files, `${procRoot}/sys/kernel/osrelease`)
  return !isUnavailable(release) && /microsoft|wsl/i.test(release)
}
