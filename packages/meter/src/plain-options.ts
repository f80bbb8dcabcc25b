import type { DetectOptions } from './drivers/driver.js'
import { parseWall } from './wall/parse-wall.js'

/** What a driver may know of the options, checked, as plain data that can go to another thread. */
export function plainOptions(
  options: DetectOptions & {
    readonly meter?: unknown
    readonly runsOn?: unknown
    readonly signal?: unknown
  },
): DetectOptions {
  const { meter, runsOn, signal, ...plain } = options
  const { wall } = plain
  return wall === undefined ? plain : { ...plain, wall: wall.map(parseWall) }
}
