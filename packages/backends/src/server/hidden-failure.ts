/**
 * Carries an error through the `openai` client, which looks for "timed out" in the text of an error and of its cause, and
 * where it finds that throws an error of its own without either.
 */
export class HiddenFailure extends Error {
  override readonly name = 'HiddenFailure'

  constructor(readonly failure: unknown) {
    super('the request failed')
  }
}

/** Runs a `fetch` whose errors are hidden. */
export function withHiddenFailures(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) =>
    fetch(input, init).catch((error: unknown) => {
      throw new HiddenFailure(error)
    })
}

/** The error that was hidden, or the one that is given. */
export function revealed(error: unknown): unknown {
  const inner = error instanceof Error ? error.cause : undefined
  return inner instanceof HiddenFailure ? inner.failure : error
}
