import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { binaryPath, type Device } from './build-plan.js'

/** Folder with the sources of llama.cpp inside the installed node-llama-cpp. */
export function bundleFolder(root: string): string {
  return join(root, 'node_modules', 'node-llama-cpp', 'llama')
}

/** Release of llama.cpp that the bundle holds; undefined where node-llama-cpp is not installed. */
export function readRelease(root: string): string | undefined {
  const path = join(bundleFolder(root), 'llama.cpp.info.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).tag : undefined
}

/** Path of a llama-server that was built here, undefined where there is none. */
export function findCachedBinary(root: string): string | undefined {
  const release = readRelease(root)
  if (release === undefined) return undefined
  const devices: readonly Device[] = ['cpu', 'cuda']
  return devices.map((device) => binaryPath(root, { release, device })).find(existsSync)
}
