import { once } from 'node:events'
import { createServer } from 'node:net'
import { EnergyBenchError } from '@energy-bench/spec'

/** A TCP port of this machine on which nothing listens. */
export async function findFreePort(): Promise<number> {
  return bindOnce(0)
}

/** Throws `environment-invalid` for a port that is taken: the server there would be mistaken for the engine. */
export async function checkPortFree(port: number): Promise<void> {
  try {
    await bindOnce(port)
  } catch (cause) {
    throw new EnergyBenchError('environment-invalid', `Port ${port} of 127.0.0.1 is not free.`, {
      fix: 'Stop what listens there, or leave the port out.',
      cause,
    })
  }
}

async function bindOnce(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : port
}
