import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export interface KasaPlug extends AsyncDisposable {
  readonly host: string
  readonly asked: string[]
}

/** A plug that decodes every request by the rules of the protocol, written apart from the driver. */
export async function startKasa(
  answer: (socket: Socket, request: string) => void,
): Promise<KasaPlug> {
  const asked: string[] = []
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < 4 || bytes.length < 4 + bytes.readUInt32BE(0)) return
      let key = 171
      const plain = bytes.subarray(4).map((byte) => {
        const value = byte ^ key
        key = byte
        return value
      })
      const request = Buffer.from(plain).toString('utf8')
      asked.push(request)
      answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
