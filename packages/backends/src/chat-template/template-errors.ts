import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'

/** What `raise_exception` throws inside a template. */
export class TemplateRefusal extends Error {
  override readonly name = 'TemplateRefusal'
}

/** A template that is broken is the fault of the model; one that refuses the messages is the fault of the caller. */
export function templateError(cause: unknown): EnergyBenchError {
  if (cause instanceof TemplateRefusal) {
    return new EnergyBenchError(
      'usage-invalid',
      `The chat template refuses these messages: ${cause.message}`,
      { fix: 'Change the messages as the template says.', cause },
    )
  }
  return new EnergyBenchError(
    'model-invalid',
    `The chat template of the model cannot be rendered: ${messageOf(cause)}.`,
    { fix: 'Use a model file whose tokenizer.chat_template is complete.', cause },
  )
}
