import { EnergyBenchError } from '@energy-bench/spec'
import { sleep } from '../shared/sleep.js'
import type { HttpClient } from './http-client.js'

const pollS = 0.1

/** Resolves when `/health` stops saying 503; a server without `/health` counts as ready. */
export async function waitUntilReady(
  { http, readyTimeoutS }: { readonly http: HttpClient; readonly readyTimeoutS: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutS * 1000
  while ((await http.get('/health', signal)).status === 503) {
    if (performance.now() >= deadlineMs) throw stillLoading(http.rootUrl, readyTimeoutS)
    await sleep(pollS, signal)
  }
}

function stillLoading(url: string, limitS: number): EnergyBenchError {
  return new EnergyBenchError(
    'backend-unavailable',
    `The server at ${url} still loads its model after ${limitS} s.`,
    { fix: 'Wait for it, or set a larger readyTimeoutS.' },
  )
}
