import { connect } from 'node:net'
import { withDeadline } from './deadline.js'
import { mismatch } from './failure.js'
import { frameKasa, unframeKasa } from './kasa-cipher.js'
import type { WallContext } from './reading.js'

const DEFAULT_PORT = 9999
const MAX_ANSWER_BYTES = 65_536

/** Sends one request to a Kasa plug on a connection of its own, and returns the text of the answer. */
export function askKasa(context: WallContext, host: string, request: string): Promise<string> {
  return withDeadline(context, host, (signal) => exchange(host, request, signal))
}

function exchange(host: string, request: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = deferred<string>()
  const address = new URL(`http://${host}`)
  const socket = connect({
    // Brackets around an IPv6 address belong to the URL, not to the address.
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(host, address),
    signal,
  })
  let received = Buffer.alloc(0)
  socket.on('connect', () => socket.write(frameKasa(request)))
  socket.on('error', reject)
  socket.on('close', () => reject(notKasa(host, `closed after ${received.length} bytes`)))
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    try {
      const answer = unframeKasa(received, MAX_ANSWER_BYTES)
      if (answer !== undefined) resolve(answer)
    } catch {
      reject(notKasa(host, 'a frame that is too long'))
    }
  })
  return promise.finally(() => socket.destroy())
}

/** `URL` leaves out port 80, because it is the usual one of http. */
function portOf(host: string, address: URL): number {
  if (address.port !== '') return Number(address.port)
  return /:80$/.test(host) ? 80 : DEFAULT_PORT
}

function notKasa(host: string, what: string): Error {
  return mismatch(
    `${host} did not answer the Kasa protocol: ${what}`,
    "Check the host. Newer TP-Link plugs need the kind 'tapo'.",
  )
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return { promise, resolve, reject }
}
