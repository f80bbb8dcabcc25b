import { createHash } from 'node:crypto'
import type { ChatMessage } from '@energy-bench/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ChatTemplateOptions,
  createChatTemplate,
  endsInThinking,
} from '../../src/chat-template/index.js'
import { exchange } from '../support/fixtures.js'
import * as templates from '../support/templates.js'

const tokens = { bosToken: '<|endoftext|>', eosToken: '<|im_end|>' }
const question: readonly ChatMessage[] = [{ role: 'user', content: 'What is 347 + 86?' }]
const talk: readonly ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi' },
  { role: 'user', content: 'Bye' },
]

function recorded(name: string): string {
  return (exchange(name).response.body as { prompt: string }).prompt
}

function referenceTemplate(): string {
  return (exchange('props').response.body as { chat_template: string }).chat_template
}

describe('the template of the reference model', () => {
  const template = createChatTemplate(referenceTemplate(), tokens)

  test('gives the prompt that llama-server made of it', () => {
    expect(template.render({ messages: question })).toBe(recorded('apply-template-default'))
    expect(template.render({ messages: question, thinking: 'off' })).toBe(
      recorded('apply-template-no-think'),
    )
  })

  test('is the model’s own and knows thinking', () => {
    expect(template).toMatchObject({ source: 'model', canThink: true })
  })

  test('has the digest of its text', () => {
    const hex = createHash('sha256').update(referenceTemplate(), 'utf8').digest('hex')
    expect(template.digest).toBe(`sha256:${hex}`)
    expect(createChatTemplate(`${referenceTemplate()} `, tokens).digest).not.toBe(template.digest)
  })
})

test('a model without a template gets ChatML', () => {
  const template = createChatTemplate(undefined, tokens)
  expect(template.render({ messages: question })).toBe(recorded('apply-template-default'))
  expect(template).toMatchObject({ source: 'chatml', canThink: false })
  expect(template.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
})

describe('the shapes of well-known templates', () => {
  test('ChatML', () => {
    const template = createChatTemplate(templates.chatMl, tokens)
    const turns =
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n' +
      '<|im_start|>assistant\nHi<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n'
    expect(template.render({ messages: talk })).toBe(turns)
    expect(template.render({ messages: talk, thinking: 'on' })).toBe(turns)
    expect(template.render({ messages: talk, thinking: 'off' })).toBe(
      `${turns}<think>\n\n</think>\n\n`,
    )
  })

  test('Llama 3, without tools and on the day that the clock says', () => {
    const template = createChatTemplate(templates.llama3, {
      bosToken: '<|begin_of_text|>',
      eosToken: '<|eot_id|>',
      now: () => new Date(2026, 6, 4, 12),
    })
    expect(template.render({ messages: talk })).toBe(
      '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n' +
        'Today Date: 04 Jul 2026\n\nBe brief.<|eot_id|>' +
        '<|start_header_id|>user<|end_header_id|>\n\nHello<|eot_id|>' +
        '<|start_header_id|>assistant<|end_header_id|>\n\nHi<|eot_id|>' +
        '<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>' +
        '<|start_header_id|>assistant<|end_header_id|>\n\n',
    )
  })

  test('Gemma, without a system role', () => {
    const template = createChatTemplate(templates.gemma, { bosToken: '<bos>', eosToken: '<eos>' })
    expect(template.render({ messages: talk.slice(1) })).toBe(
      '<bos><start_of_turn>user\nHello<end_of_turn>\n<start_of_turn>model\nHi<end_of_turn>\n' +
        '<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n',
    )
  })

  test('Mistral, with the system message in the first instruction', () => {
    const template = createChatTemplate(templates.mistral, { bosToken: '<s>', eosToken: '</s>' })
    expect(template.render({ messages: talk })).toBe(
      '<s>[INST] Be brief.\n\nHello[/INST] Hi</s>[INST] Bye[/INST]',
    )
  })
})

describe('a template that refuses its messages says so in its own words', () => {
  test.each([
    [templates.gemma, talk, 'The chat template refuses these messages: System role not supported'],
    [
      templates.gemma,
      [...question, ...question],
      'The chat template refuses these messages: Conversation roles must alternate user/assistant/user/assistant/...',
    ],
    [
      templates.mistral,
      [talk[0], talk[2]],
      'The chat template refuses these messages: After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
    ],
  ] as [string, ChatMessage[], string][])('%#', (text, messages, message) => {
    const template = createChatTemplate(text, { bosToken: '<s>', eosToken: '</s>' })
    expect(() => template.render({ messages })).toThrow(
      expect.objectContaining({
        code: 'usage-invalid',
        message,
        fix: 'Change the messages as the template says.',
      }),
    )
  })
})

test.each([
  ['does not parse', '{% if %}'],
  ['calls what is not there', '{{ no_such_function() }}'],
  ['uses a filter that is not there', "{{ 'a' | no_such_filter }}"],
])('a template that %s is the fault of the model', (_, text) => {
  expect(() => createChatTemplate(text, tokens).render({ messages: question })).toThrow(
    expect.objectContaining({ code: 'model-invalid' }),
  )
})

describe('variables', () => {
  const render = (text: string, options: Partial<ChatTemplateOptions> = {}) =>
    createChatTemplate(text, { ...tokens, ...options })

  test('a level of thinking reaches the template', () => {
    const template = render('{{ enable_thinking }} {{ reasoning_effort }}')
    expect(template.render({ messages: question, thinking: 'low' })).toBe('true low')
  })

  test('thinking that nobody asked about is not defined', () => {
    const template = render('{{ enable_thinking is defined }} {{ reasoning_effort is defined }}')
    expect(template.render({ messages: question })).toBe('false false')
  })

  test('special tokens are given by their text', () => {
    expect(render('[{{ bos_token }}] {{ eos_token }}').render({ messages: question })).toBe(
      '[<|endoftext|>] <|im_end|>',
    )
  })

  test('others are passed on, and cannot replace the messages', () => {
    const variables = { documents: 3, messages: [] }
    const template = render('{{ documents }} {{ messages | length }}', { variables })
    expect(template.render({ messages: question })).toBe('3 1')
  })

  test('loops count as in Python', () => {
    const loop = (call: string) => `{% for i in ${call} %}{{ i }} {% endfor %}`
    const text = `${loop('range(3)')}|${loop('range(1, 3)')}|${loop('range(4, 0, -2)')}|${loop('range(2, 1)')}`
    expect(render(text).render({ messages: question })).toBe('0 1 2 |1 2 |4 2 |')
  })

  test('constants have both spellings', () => {
    const text =
      '{{ true }} {{ True }} {{ false }} {{ False }} {{ none is none }} {{ None is none }}'
    expect(render(text).render({ messages: question })).toBe('true true false false true true')
  })

  test('dates come from the clock, in English, and fields that are not known stay', () => {
    const now = () => new Date(2026, 0, 5, 9, 8, 7)
    const template = render("{{ strftime_now('%A %a %d %e %B %b %m %Y %y %H:%M:%S %% %Q %') }}", {
      now,
    })
    expect(template.render({ messages: question })).toBe(
      'Monday Mon 05  5 January Jan 01 2026 26 09:08:07 % %Q %',
    )
  })
})

describe('the begin token', () => {
  const gemma = (options: Partial<ChatTemplateOptions> = {}) =>
    createChatTemplate(templates.gemma, { bosToken: '<bos>', eosToken: '<eos>', ...options })

  test('is in the text once where nobody else adds it', () => {
    expect(gemma().render({ messages: question })).toMatch(/^<bos><start_of_turn>/)
  })

  test('is left to a tokenizer that adds it', () => {
    expect(gemma({ tokenizerAddsBos: true }).render({ messages: question })).toMatch(
      /^<start_of_turn>/,
    )
  })

  test('is not doubled by a message that brings another', () => {
    const pass = '{{ bos_token }}{{ messages[0].content }}'
    const messages = [{ role: 'user', content: '<s><s>Hi' }] as const
    const render = (tokenizerAddsBos: boolean) =>
      createChatTemplate(pass, { bosToken: '<s>', eosToken: '</s>', tokenizerAddsBos }).render({
        messages,
      })
    expect(render(false)).toBe('<s>Hi')
    expect(render(true)).toBe('Hi')
  })

  test('inside the text it stays', () => {
    const messages = [{ role: 'user', content: 'a<bos><bos>b' }] as const
    expect(gemma({ tokenizerAddsBos: true }).render({ messages })).toContain('a<bos><bos>b')
  })

  test('of a model that has none changes nothing', () => {
    const template = createChatTemplate(templates.gemma, {
      bosToken: '',
      eosToken: '',
      tokenizerAddsBos: true,
    })
    expect(template.render({ messages: question })).toMatch(/^<start_of_turn>/)
  })

  const anyText = fc.oneof(
    fc.string(),
    fc.constantFrom('<s>', '<s><s>x', '{{ bos_token }}', '\ud83d\ude00'),
  )
  const anyTalk = fc
    .array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 3 })
    .map((pairs) =>
      pairs.flatMap(([user, assistant]): ChatMessage[] => [
        { role: 'user', content: user },
        { role: 'assistant', content: assistant },
      ]),
    )
  const anyTemplate = fc.constantFrom(
    templates.chatMl,
    templates.llama3,
    templates.gemma,
    templates.mistral,
    '{{ bos_token }}{{ messages[0].content }}',
  )

  test('is never there twice, whatever the template and the messages', () => {
    fc.assert(
      fc.property(anyTemplate, anyTalk, fc.boolean(), (text, messages, tokenizerAddsBos) => {
        const options = { bosToken: '<s>', eosToken: '</s>', tokenizerAddsBos }
        const prompt = createChatTemplate(text, options).render({ messages })
        expect((tokenizerAddsBos ? '<s>' : '') + prompt).not.toMatch(/^<s><s>/)
      }),
    )
  })

  test('whoever adds it, the model sees the same tokens', () => {
    fc.assert(
      fc.property(anyTalk, (messages) => {
        const render = (tokenizerAddsBos: boolean) =>
          gemma({ bosToken: '<s>', tokenizerAddsBos }).render({ messages })
        expect(`<s>${render(true)}`).toBe(render(false))
      }),
    )
  })

  test('messages are data: what they say is never run as a template', () => {
    fc.assert(
      fc.property(anyText, (content) => {
        const template = createChatTemplate('{{ messages[0].content }}', tokens)
        expect(template.render({ messages: [{ role: 'user', content }] })).toBe(content)
      }),
    )
  })
})

test('a prompt that opens the thinking itself is seen', () => {
  expect(endsInThinking('<|assistant|>\n<think>\n')).toBe(true)
  expect(endsInThinking('<think>\n\n</think>\n\n')).toBe(false)
})
