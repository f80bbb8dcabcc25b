import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { close } from './fake-server.js'

/** The routes by which Ollama 0.33 says what it is and has; source: docs.ollama.com. */
export async function startFakeOllama(
  available: readonly string[],
  loaded: readonly string[] = [],
): Promise<{ readonly url: string; readonly port: number }> {
  const models = (names: readonly string[]) =>
    JSON.stringify({ models: names.map((name) => ({ name })) })
  const answers: Readonly<Record<string, string>> = {
    '/': 'Ollama is running',
    '/api/version': '{"version":"0.33.0"}',
    '/api/tags': models(available),
    '/api/ps': models(loaded),
    '/v1/models': JSON.stringify({ data: available.map((id) => ({ id, owned_by: 'library' })) }),
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 404 : 200).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => close(server))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}
