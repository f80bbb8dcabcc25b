import { type Fact, unknown } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { hashFile } from '../shared/hash-file.js'
import { findListeningProcess } from './listening-process.js'
import type { ServerAddress } from './server-address.js'

/** Digest of a file that a server names, where the server runs on this machine. */
export async function hashLocalFile(
  path: string,
  { isLocal }: ServerAddress,
): Promise<Fact<string>> {
  if (!isLocal) return unknown('the weights are on another machine')
  return hashFile(path).catch((error: unknown) =>
    unknown(`${path} cannot be read here: ${messageOf(error)}`),
  )
}

/** Process that listens at an address of this machine. */
export async function localProcess({ isLocal, port }: ServerAddress): Promise<Fact<number>> {
  return isLocal ? findListeningProcess(port) : unknown('the server runs on another machine')
}
