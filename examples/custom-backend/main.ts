// An engine of your own in use: markov.ts holds it, markov.test.ts tests it against the contract.
import assert from 'node:assert/strict'
import { assertBackendContract } from '@energy-bench/backends/contract'
import { createMarkov } from './markov.js'

const tale = 'a fox saw a crow with cheese and the fox praised the crow so the cheese fell'
const create = () => createMarkov({ texts: { tale } })

await using backend = create()
await using model = await backend.load({ id: 'tale' })
const messages = [{ role: 'user', content: 'who praised' }] as const
let text = ''
for await (const event of model.generate({ messages, maxOutputTokens: 4 })) {
  if (event.type === 'text-delta') text += event.text
  if (event.type === 'end') console.log(text, event.outputTokens)
}
assert.equal(text, 'the fox saw a')

await assert.rejects(
  assertBackendContract({ create: () => ({ ...create(), id: '' }), model: { id: 'tale' } }),
  { code: 'contract-violated' },
)
