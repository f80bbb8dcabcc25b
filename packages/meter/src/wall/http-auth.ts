import {
  type AuthChallenge,
  basicHeader,
  type Credentials,
  digestHeader,
  parseChallenge,
} from './digest.js'
import type { WallHttp, WallReply, WallRequest } from './http.js'

/**
 * Answers the challenge of the server, at most once a request, and keeps it for the next requests.
 *
 * Credentials are never sent unasked. A digest nonce is used again with a higher count; where the device gives a new
 * nonce for every request (Shelly before firmware 2.0), its 401 costs one more request.
 */
export function withAuth(http: WallHttp, credentials: Credentials | undefined): WallHttp {
  if (credentials === undefined) return http
  let challenge: AuthChallenge | undefined
  let count = 0
  const sendOnce = (request: WallRequest): Promise<WallReply> => {
    if (challenge === undefined) return http.send(request)
    count += 1
    const authorization = header(challenge, credentials, { request, count })
    return http.send({ ...request, headers: { ...request.headers, authorization } })
  }
  return {
    host: http.host,
    async send(request) {
      const reply = await sendOnce(request)
      if (reply.status !== 401) return reply
      challenge = parseChallenge(reply.headers.get('www-authenticate'))
      count = 0
      return challenge === undefined ? reply : sendOnce(request)
    },
  }
}

function header(
  challenge: AuthChallenge,
  credentials: Credentials,
  use: { readonly request: WallRequest; readonly count: number },
): string {
  if (challenge.scheme === 'basic') return basicHeader(credentials)
  const method = use.request.method ?? 'GET'
  return digestHeader(challenge, credentials, { method, path: use.request.path, count: use.count })
}
