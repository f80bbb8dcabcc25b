import type { Task } from '@energy-bench/spec'

/** Items `1` to `n`; the right answer to `3` is `3`. Even items are of the group `even`. */
export function createFakeTask(n = 4): Task {
  return {
    specVersion: 1,
    id: 'echo',
    version: '1',
    maxOutputTokens: 16,
    items: Array.from({ length: n }, (_, index) => ({
      id: `item-${index + 1}`,
      group: index % 2 === 1 ? 'even' : 'odd',
      example: String(index + 1),
    })),
    digest: 'sha256:11',
    provenance: { source: 'test', seed: 1 },
    render: (example) => String(example),
    score(example, output) {
      if (output === '') return { outcome: 'empty' }
      return { outcome: output === example ? 'correct' : 'wrong', extracted: output }
    },
  }
}
