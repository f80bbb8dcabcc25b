import type { ProgressStream } from './progress-line.js'

/** Where a command writes: `data` is stdout, `people` is stderr. Handed in, so that tests can listen. */
export interface Output {
  readonly data: Pick<NodeJS.WriteStream, 'write'>
  readonly people: ProgressStream
}
