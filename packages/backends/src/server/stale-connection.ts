/** A pool may hold several closed connections, and each attempt finds one of them. */
const maxAttempts = 10

/**
 * Sends a request again when the kept connection that it was put on turned out to be closed by the server: servers close
 * idle connections, and llama-server each one after 100 requests. The engine never saw such a request. A connection that
 * had not carried an answer before is not tried again: there the server itself is in trouble.
 */
export function withoutStaleConnections(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
      try {
        return await fetch(input, init)
      } catch (error) {
        if (init?.signal?.aborted || !isReplayable(init) || !wasKept(error)) throw error
      }
    }
    return await fetch(input, init)
  }
}

function isReplayable(init: RequestInit | undefined): boolean {
  const body = init?.body ?? undefined
  return body === undefined || typeof body === 'string'
}

/** Undici tells how much had been read from the socket that the other side closed. */
function wasKept(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error && 'code' in cause && 'socket' in cause)) return false
  const { code, socket } = cause
  const isSocket = typeof socket === 'object' && socket !== null && 'bytesRead' in socket
  return code === 'UND_ERR_SOCKET' && isSocket && Number(socket.bytesRead) > 0
}
