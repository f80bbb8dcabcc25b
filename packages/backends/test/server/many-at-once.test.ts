import { describe, expect, onTestFinished, test } from 'vitest'
import { collect } from '../support/collect.js'
import { protocols } from '../support/protocols.js'
import { openTestServer } from '../support/test-server.js'

const streams = 200
const pieces = 20

describe.each(protocols)('many streams of $name at once', (protocol) => {
  test('come whole, each with its own text, and without a warning', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error) => warnings.push(warning)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    await using server = await openTestServer(async ({ path, body, response, ...rest }) => {
      if (path !== protocol.chatPath) return protocol.answer({ path, body, response, ...rest })
      response.writeHead(200, { 'content-type': protocol.contentType })
      for (let index = 0; index < pieces; index += 1) {
        response.write(protocol.piece(`${lastWord(body)} `))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end(protocol.ending)
    })
    const model = await protocol.create({ baseUrl: server.url }).load({})
    const numbers = Array.from({ length: streams }, (_, index) => String(index))
    const texts = await Promise.all(
      numbers.map(async (content) => {
        const { text } = await collect(model, { messages: [{ role: 'user', content }] })
        return text
      }),
    )
    expect(texts).toEqual(numbers.map((number) => `${number} `.repeat(pieces)))
    expect(warnings).toEqual([])
  })
})

/** The prompt, without the mark that may stand before it. */
function lastWord({ messages }: Record<string, unknown>): string {
  return JSON.stringify(messages).match(/(\d+)"/)?.[1] ?? ''
}
