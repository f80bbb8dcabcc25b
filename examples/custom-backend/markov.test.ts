// #region test
import { backendContract } from '@energy-bench/backends/contract'
import { describe, test } from 'vitest'
import { createMarkov } from './markov.js'

const tale = 'a fox saw a crow with cheese and the fox praised the crow so the cheese fell'

describe('the Markov engine keeps the promises of a backend', () => {
  const checks = backendContract({
    create: () => createMarkov({ texts: { tale } }),
    model: { id: 'tale' },
    concurrency: 8,
  })
  for (const check of checks) test(check.name, check.run)
})
// #endregion test
