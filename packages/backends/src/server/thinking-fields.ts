import type { GenerateRequest } from '@energy-bench/spec'

/** Fields that switch thinking in the chat template; levels are named beside the template's own switch. */
export function templateThinking({ thinking }: GenerateRequest): Readonly<Record<string, unknown>> {
  if (thinking === undefined) return {}
  const isSwitch = thinking === 'off' || thinking === 'on'
  return {
    chat_template_kwargs: { enable_thinking: thinking !== 'off' },
    ...(isSwitch ? {} : { reasoning_effort: thinking }),
  }
}
