import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChatMessage } from '@energy-bench/spec'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compareWithServerTemplate } from '../../src/chat-template/index.js'
import { detectEngines } from '../../src/detect/index.js'
import { startRealLlamaServer } from '../support/real-llama-server.js'
import * as templates from '../support/templates.js'

/** `trim` of llama.cpp takes the white space of ASCII alone; that of the library, as Python's, takes all of Unicode. */
const text = fc
  .string({ unit: 'grapheme' })
  .map((value) => value.replaceAll(/[^\S \t\n\r\f\v]/g, '_'))
const turn = fc.tuple(text, text)
const talks = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map((turns) =>
    turns.flatMap(([user, assistant], index): ChatMessage[] => [
      { role: 'user', content: user },
      ...(index + 1 < turns.length ? [{ role: 'assistant' as const, content: assistant }] : []),
    ]),
  )

/** Detection and templates against a real binary with the reference model. */
export function testTemplates(binary: string): void {
  describe('is recognised, and renders as it is rendered here', () => {
    test('is detected while it loads and when it is ready', async () => {
      await using server = await startRealLlamaServer(binary)
      const ready = server.seen.at(-1)
      expect(ready).toMatchObject({
        kind: 'llama-server',
        baseUrl: server.url,
        processId: server.processId,
        missing: [],
      })
      expect(ready?.modelsLoaded).toEqual(ready?.modelsAvailable)
      const before = server.seen.slice(0, -1)
      expect(new Set(before.map(({ kind }) => kind))).toEqual(
        new Set(before.length > 0 ? ['llama-server'] : []),
      )
    })

    test('with a key says that it wants one', async () => {
      await using server = await startRealLlamaServer(binary, { apiKey: 'secret' })
      const ports = [Number(new URL(server.url).port)]
      expect(await detectEngines({ ports })).toMatchObject([
        { kind: 'llama-server', missing: [{ what: 'api-key' }] },
      ])
    })

    test.each([
      ['its own template', undefined],
      ['ChatML', templates.chatMl],
      ['Llama 3', templates.llama3],
      ['Gemma', templates.gemma],
      ['Mistral', templates.mistral],
    ])('renders %s as it is rendered here', async (_, template) => {
      await using server = await startRealLlamaServer(binary, {
        flags: await templateFlags(template),
      })
      // Where a request leaves thinking open, the server decides it by a look at the template.
      for (const thinking of ['on', 'off'] as const) {
        await fc.assert(
          fc.asyncProperty(talks, async (messages) => {
            const request = { messages, thinking }
            const result = await compareWithServerTemplate({ baseUrl: server.url }, request)
            expect(result.local).toBe(result.server)
          }),
          { numRuns: 50 },
        )
      }
    })
  })
}

async function templateFlags(template: string | undefined): Promise<readonly string[]> {
  if (template === undefined) return ['--jinja']
  const folder = await mkdtemp(join(tmpdir(), 'energy-bench-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'template.jinja')
  await writeFile(path, template)
  return ['--jinja', '--chat-template-file', path]
}
