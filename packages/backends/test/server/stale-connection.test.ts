import { expect, test } from 'vitest'
import { withoutStaleConnections } from '../../src/server/stale-connection.js'

/** The error of fetch when the other side closed the socket, after so many bytes of earlier answers. */
function closedAfter(bytesRead: number): TypeError {
  const cause = Object.assign(new Error('other side closed'), {
    code: 'UND_ERR_SOCKET',
    socket: { bytesRead },
  })
  return new TypeError('fetch failed', { cause })
}

function failing(times: number, error: Error) {
  let calls = 0
  const fetch: typeof globalThis.fetch = async () => {
    calls += 1
    if (calls <= times) throw error
    return new Response('fine')
  }
  return { fetch: withoutStaleConnections(fetch), calls: () => calls }
}

const post = { method: 'POST', body: '{}' }

test('a request on a kept connection that was closed is sent again', async () => {
  const { fetch, calls } = failing(1, closedAfter(500))
  expect(await (await fetch('http://engine', post)).text()).toBe('fine')
  expect(calls()).toBe(2)
})

test('a request that is lost ten times is an error', async () => {
  const error = closedAfter(500)
  const { fetch, calls } = failing(10, error)
  await expect(fetch('http://engine', post)).rejects.toBe(error)
  expect(calls()).toBe(10)
})

test.each([
  ['a new connection that was closed', closedAfter(0), post],
  [
    'a refused connection',
    new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
    post,
  ],
  ['an aborted request', closedAfter(500), { ...post, signal: AbortSignal.abort() }],
  ['a body that can be read once', closedAfter(500), { ...post, body: new ReadableStream() }],
])('%s is not tried again', async (_, error, init) => {
  const { fetch, calls } = failing(1, error)
  await expect(fetch('http://engine', init)).rejects.toBe(error)
  expect(calls()).toBe(1)
})
