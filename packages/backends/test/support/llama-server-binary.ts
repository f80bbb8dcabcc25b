import { existsSync, readdirSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** A llama-server on this machine: `LLAMA_SERVER`, else one that was built into `.cache/llama-server`. */
export function findLlamaServer(): string | undefined {
  const named = process.env.LLAMA_SERVER
  if (named !== undefined) return named
  const cache = fileURLToPath(new URL('../../../../.cache/llama-server', import.meta.url))
  if (!existsSync(cache)) return undefined
  return readdirSync(cache)
    .map((build) => `${cache}/${build}/bin/llama-server`)
    .find((path) => existsSync(path))
}
