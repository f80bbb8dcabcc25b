import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../../.cache/llama-server', import.meta.url))

/** A llama-server that can run here: the one that `LLAMA_SERVER` names, else one that `npm run build:llama-server` built. */
export const llamaServerBinary: string | undefined = process.env.LLAMA_SERVER ?? findBuilt()

function findBuilt(): string | undefined {
  if (!existsSync(cache)) return undefined
  const binaries = readdirSync(cache).map((build) => join(cache, build, 'bin', 'llama-server'))
  return binaries.find((path) => existsSync(path))
}
