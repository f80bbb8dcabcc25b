import { EnergyBenchError, type GenerateRequest } from '@energy-bench/spec'
import { at, textAt } from '../server/json-path.js'
import { thinkingVariables } from '../shared/thinking-variables.js'
import { type ChatTemplate, type ChatTemplateOptions, createChatTemplate } from './chat-template.js'
import { askServer, type TemplateServer } from './template-server.js'

/** The template that a llama-server uses, with what is needed to render it. */
export interface ServerTemplate extends ChatTemplateOptions {
  readonly template: string
  readonly tokenizerAddsBos: boolean
}

/** What two renderings of the same messages gave. */
export interface TemplateComparison {
  readonly isSame: boolean
  readonly local: string
  readonly server: string
  /** Index of the first character that differs, null when none does. */
  readonly differsAt: number | null
}

/** Reads the template of a llama-server from `/props`, and from `/tokenize` whether it adds a begin token itself. */
export async function readServerTemplate(server: TemplateServer): Promise<ServerTemplate> {
  const props = await askServer(server, '/props')
  const template = textAt(props, 'chat_template')
  if (template === undefined) throw noTemplate(server.baseUrl)
  const bosToken = textAt(props, 'bos_token') ?? ''
  return {
    template,
    bosToken,
    eosToken: textAt(props, 'eos_token') ?? '',
    tokenizerAddsBos: bosToken !== '' && (await addsBegin(server, bosToken)),
  }
}

/**
 * Renders messages here and by `/apply-template` of a llama-server, and compares the two. Without `template` it is that of
 * the server, so that a difference is one of the renderers; with it, a server that was started with another is found out.
 * Say `thinking`: where it is left out, llama-server decides it by a look at the template, which may differ from "not
 * defined" here.
 */
export async function compareWithServerTemplate(
  server: TemplateServer,
  request: Pick<GenerateRequest, 'messages' | 'thinking'>,
  template?: ChatTemplate,
): Promise<TemplateComparison> {
  const here = template ?? (await templateOf(server))
  const local = here.render(request)
  const answer = await askServer(server, '/apply-template', {
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    chat_template_kwargs: thinkingVariables(request.thinking),
  })
  const there = at(answer, 'prompt')
  if (typeof there !== 'string') throw noPrompt(server.baseUrl)
  return {
    isSame: local === there,
    local,
    server: there,
    differsAt: local === there ? null : firstDifference(local, there),
  }
}

async function templateOf(server: TemplateServer): Promise<ChatTemplate> {
  const { template, ...options } = await readServerTemplate(server)
  return createChatTemplate(template, options)
}

/** The first token of an empty text with special tokens is the begin token, or there is none. */
async function addsBegin(server: TemplateServer, bosToken: string): Promise<boolean> {
  const [empty, begin] = await Promise.all([
    askServer(server, '/tokenize', { content: '', add_special: true }),
    askServer(server, '/tokenize', { content: bosToken, add_special: false }),
  ])
  const first = at(empty, 'tokens', 0)
  return first !== undefined && first === at(begin, 'tokens', 0)
}

function firstDifference(a: string, b: string): number {
  let index = 0
  while (index < Math.min(a.length, b.length) && a[index] === b[index]) index += 1
  return index
}

function noTemplate(url: string): EnergyBenchError {
  return new EnergyBenchError('backend-failed', `/props of ${url} has no chat_template.`, {
    fix: 'Use a llama-server that was started with a model.',
  })
}

function noPrompt(url: string): EnergyBenchError {
  return new EnergyBenchError('backend-failed', `/apply-template of ${url} gave no prompt.`, {
    fix: 'Use a newer llama-server.',
  })
}
