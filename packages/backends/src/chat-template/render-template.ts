import { Environment, Interpreter, type Template } from '@huggingface/jinja'
import { strftime } from './strftime.js'
import { TemplateRefusal } from './template-errors.js'

/** Names that Jinja itself has, in both spellings. */
const constants = { true: true, True: true, false: false, False: false, none: null, None: null }

/**
 * Renders a template with the functions that chat templates expect. `Template.render` of the library does not let its
 * clock be set, and its errors do not tell a refusal from a broken template.
 */
export function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  now: () => Date,
): string {
  const functions = {
    range,
    strftime_now: (format: string) => strftime(now(), format),
    raise_exception: (message: string) => {
      throw new TemplateRefusal(message)
    },
  }
  const environment = new Environment()
  for (const [name, value] of Object.entries({ ...variables, ...constants, ...functions })) {
    environment.set(name, value)
  }
  return String(new Interpreter(environment).run(template.parsed).value)
}

/** Python's `range`. */
function range(first: number, second?: number, step = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second]
  const length = Math.max(0, Math.ceil((stop - start) / step))
  return Array.from({ length }, (_, index) => start + index * step)
}
