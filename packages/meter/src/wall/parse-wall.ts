import type { WallConfig } from './config.js'
import { parseWallConfig } from './parse-config.js'
import { parseWallUrl } from './parse-url.js'

/** Checks a plug that is given as an address or as a config. Throws `usage-invalid` without its secrets. */
export function parseWall(plug: string | WallConfig): WallConfig {
  return typeof plug === 'string' ? parseWallUrl(plug) : parseWallConfig(plug)
}
