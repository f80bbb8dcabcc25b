import { expect, test } from 'vitest'
import { createChatPrompt, endsInThinking } from '../../src/llama-cpp/chat-prompt.js'
import { exchange } from '../support/fixtures.js'

const tokens = { bosToken: '<|endoftext|>', eosToken: '<|im_end|>' }
const messages = [{ role: 'user', content: 'What is 347 + 86?' }] as const

function recorded(name: string): string {
  return (exchange(name).response.body as { prompt: string }).prompt
}

function referenceTemplate(): string {
  return (exchange('props').response.body as { chat_template: string }).chat_template
}

test('the prompt is the one that llama-server makes of the same template', () => {
  const prompt = createChatPrompt(referenceTemplate(), tokens)
  expect(prompt.render({ messages })).toBe(recorded('apply-template-default'))
  expect(prompt.render({ messages, thinking: 'off' })).toBe(recorded('apply-template-no-think'))
  expect(prompt).toMatchObject({ source: 'model', canThink: true })
})

test('a model without a template gets ChatML', () => {
  const prompt = createChatPrompt(undefined, tokens)
  expect(prompt.render({ messages })).toBe(recorded('apply-template-default'))
  expect(prompt).toMatchObject({ source: 'chatml', canThink: false })
})

test('a level of thinking reaches the template', () => {
  const prompt = createChatPrompt('{{ enable_thinking }} {{ reasoning_effort }}', tokens)
  expect(prompt.render({ messages, thinking: 'low' })).toBe('true low')
})

test('a template that opens the thinking itself is seen', () => {
  expect(endsInThinking('<|assistant|>\n<think>\n')).toBe(true)
  expect(endsInThinking('<think>\n\n</think>\n\n')).toBe(false)
})

test('a broken template is the fault of the model', () => {
  expect(() => createChatPrompt('{% if %}', tokens)).toThrow(
    expect.objectContaining({ code: 'model-invalid' }),
  )
})
