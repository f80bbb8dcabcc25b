import type { GenerateRequest } from '@energy-bench/spec'
import { Template } from '@huggingface/jinja'
import { hashText } from '../shared/hash-text.js'
import { thinkingVariables } from '../shared/thinking-variables.js'
import { withoutDoubleBegin } from './begin-token.js'
import { chatMl } from './chat-ml.js'
import { renderTemplate } from './render-template.js'
import { templateError } from './template-errors.js'

/** The chat template of one model, ready to render. */
export interface ChatTemplate {
  /** Where the template came from. */
  readonly source: 'model' | 'chatml'
  /** `sha256:<hex>` of its text. */
  readonly digest: string
  /** Whether the template knows a switch for thinking. */
  readonly canThink: boolean
  /**
   * The text for a raw completion endpoint. Throws `usage-invalid` with the words of the template when it refuses the
   * messages, and `model-invalid` when it cannot be rendered.
   */
  render(request: Pick<GenerateRequest, 'messages' | 'thinking'>): string
}

/** What a template needs beside its messages. */
export interface ChatTemplateOptions {
  /** Texts of the special tokens, as the tokenizer writes them; empty where the model has none. */
  readonly bosToken: string
  readonly eosToken: string
  /** True when whoever gets the text puts a begin token before it; the text then has none. Default false. */
  readonly tokenizerAddsBos?: boolean
  /** Further variables that the template reads. */
  readonly variables?: Readonly<Record<string, unknown>>
  /** Clock of `strftime_now`. Default: now. */
  readonly now?: () => Date
}

/** Compiles the template of a model; `undefined` stands for ChatML. Throws `model-invalid` on text that is no template. */
export function createChatTemplate(
  template: string | undefined,
  options: ChatTemplateOptions,
): ChatTemplate {
  const text = template ?? chatMl
  const { bosToken, tokenizerAddsBos = false, now = () => new Date() } = options
  const compiled = orTemplateError(() => new Template(text))
  return {
    source: template === undefined ? 'chatml' : 'model',
    digest: hashText(text),
    canThink: /enable_thinking|reasoning_effort/.test(text),
    render(request) {
      const variables = variablesOf(request, options)
      const rendered = orTemplateError(() => renderTemplate(compiled, variables, now))
      return withoutDoubleBegin(rendered, bosToken, tokenizerAddsBos)
    },
  }
}

/** True when a prompt already opened the thinking block, so that only its end will come. */
export function endsInThinking(prompt: string): boolean {
  return prompt.trimEnd().endsWith('<think>')
}

function variablesOf(
  { messages, thinking }: Pick<GenerateRequest, 'messages' | 'thinking'>,
  { bosToken, eosToken, variables }: ChatTemplateOptions,
): Readonly<Record<string, unknown>> {
  return {
    ...variables,
    messages: messages.map(({ role, content }) => ({ role, content })),
    add_generation_prompt: true,
    bos_token: bosToken,
    eos_token: eosToken,
    ...thinkingVariables(thinking),
  }
}

/** Whatever goes wrong inside the library or the template becomes one typed error. */
function orTemplateError<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (cause) {
    throw templateError(cause)
  }
}
