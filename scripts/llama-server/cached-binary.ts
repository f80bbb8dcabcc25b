import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { binaryPath, type Device } from './build-plan.js'

/** Folder with the sources of llama.cpp inside the installed node-llama-cpp; undefined where that is not installed. */
export function bundleFolder(root: string): string | undefined {
  const folder = join(root, 'node_modules', 'node-llama-cpp', 'llama')
  return existsSync(folder) ? folder : undefined
}

/** Release of llama.cpp that the bundle in this folder holds. */
export function readRelease(bundle: string): string {
  return JSON.parse(readFileSync(join(bundle, 'llama.cpp.info.json'), 'utf8')).tag
}

/** Path of a llama-server that was built here, undefined where there is none. */
export function findCachedBinary(root: string): string | undefined {
  const bundle = bundleFolder(root)
  if (bundle === undefined) return undefined
  const release = readRelease(bundle)
  const devices: readonly Device[] = ['cpu', 'cuda']
  return devices.map((device) => binaryPath(root, { release, device })).find(existsSync)
}
