/** A word problem before its optional ending. */
export interface Story {
  readonly text: string
  readonly answer: number
  readonly steps: readonly string[]
}
