/** The families of the core suite, in the order of its items. */
export const coreFamilies = [
  'arithmetic',
  'word-problem',
  'lookup',
  'extraction',
  'classification',
  'ordering',
] as const

/** One of the six kinds of item in the core suite. */
export type CoreFamily = (typeof coreFamilies)[number]

/** How hard an item is, 1 to 3. */
export type Level = 1 | 2 | 3

/** What the generator of a family makes. */
export interface CoreDraft {
  readonly prompt: string
  /** The only right answer. */
  readonly answer: string
  /** Short worked steps that end in the answer. */
  readonly think: string
  /** What the held-out filter compares: the prompt, or the bare sum for the harder sums. */
  readonly key: string
}

/** One generated item of the core suite. */
export interface CoreItem extends CoreDraft {
  readonly id: string
  readonly family: CoreFamily
  readonly level: Level
}
