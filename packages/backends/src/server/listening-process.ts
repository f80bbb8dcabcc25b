import { readdir, readFile, readlink } from 'node:fs/promises'
import { type Fact, unknown } from '@energy-bench/spec'

/** Process that listens on a local TCP port, from Linux `/proc`; `procPath` is for tests. */
export async function findListeningProcess(
  port: number,
  procPath = '/proc',
): Promise<Fact<number>> {
  const inode = await listeningInode(port, procPath)
  if (inode === undefined) return unknown(`${procPath}/net/tcp shows no listener on port ${port}`)
  const processId = await ownerOf(`socket:[${inode}]`, procPath)
  return processId ?? unknown(`the process on port ${port} belongs to another user`)
}

async function listeningInode(port: number, procPath: string): Promise<string | undefined> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`${procPath}/net/${name}`, 'utf8').catch(() => '')),
  )
  return tables
    .flatMap((table) => table.split('\n'))
    .map(parseLine)
    .find((line) => line.port === port)?.inode
}

/** A line has the local address in column 1, the state in 3 (0A listens) and the inode in 9. */
function parseLine(line: string): { readonly port?: number; readonly inode?: string } {
  const columns = line.trim().split(/\s+/)
  const hexPort = columns[1]?.split(':')[1]
  const inode = columns[9]
  if (columns[3] !== '0A' || hexPort === undefined || inode === undefined) return {}
  return { port: Number.parseInt(hexPort, 16), inode }
}

async function ownerOf(socket: string, procPath: string): Promise<number | undefined> {
  const processIds = (await readdir(procPath)).filter((name) => /^\d+$/.test(name))
  for (const processId of processIds) {
    if (await holds(`${procPath}/${processId}/fd`, socket)) return Number(processId)
  }
  return undefined
}

async function holds(folder: string, socket: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if ((await readlink(`${folder}/${name}`).catch(() => '')) === socket) return true
  }
  return false
}
