import { EnergyBenchError, type GenerateRequest } from '@energy-bench/spec'
import { Template } from '@huggingface/jinja'
import { messageOf } from '../shared/backend-errors.js'

/** Template of llama.cpp for models that bring none. */
const chatMl = `{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`

/** The chat template of one model, ready to render. */
export interface ChatPrompt {
  /** Where the template came from. */
  readonly source: 'model' | 'chatml'
  /** Whether the template knows a switch for thinking. */
  readonly canThink: boolean
  render(request: Pick<GenerateRequest, 'messages' | 'thinking'>): string
}

/** Texts of the special tokens that templates may name. */
export interface SpecialTokens {
  readonly bosToken: string
  readonly eosToken: string
}

/** Compiles the template of a model; `undefined` stands for ChatML. */
export function createChatPrompt(
  template: string | undefined,
  { bosToken, eosToken }: SpecialTokens,
): ChatPrompt {
  const source = template ?? chatMl
  const compiled = compile(source)
  return {
    source: template === undefined ? 'chatml' : 'model',
    canThink: /enable_thinking|reasoning_effort/.test(source),
    render({ messages, thinking }) {
      return renderTemplate(compiled, {
        messages: messages.map(({ role, content }) => ({ role, content })),
        add_generation_prompt: true,
        bos_token: bosToken,
        eos_token: eosToken,
        ...thinkingVariables(thinking),
      })
    },
  }
}

/** True when the prompt already opened the thinking block, so that only its end will come. */
export function endsInThinking(prompt: string): boolean {
  return prompt.trimEnd().endsWith('<think>')
}

function thinkingVariables(thinking: GenerateRequest['thinking']): Record<string, unknown> {
  if (thinking === undefined) return {}
  if (thinking === 'off' || thinking === 'on') return { enable_thinking: thinking === 'on' }
  return { enable_thinking: true, reasoning_effort: thinking }
}

function compile(source: string): Template {
  try {
    return new Template(source)
  } catch (cause) {
    throw templateError(cause)
  }
}

function renderTemplate(template: Template, variables: Record<string, unknown>): string {
  try {
    return template.render(variables)
  } catch (cause) {
    throw templateError(cause)
  }
}

function templateError(cause: unknown): EnergyBenchError {
  return new EnergyBenchError(
    'model-invalid',
    `The chat template of the model cannot be rendered: ${messageOf(cause)}.`,
    { fix: 'Use a model file whose tokenizer.chat_template is complete.', cause },
  )
}
