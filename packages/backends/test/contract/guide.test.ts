import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { goodBackend } from './change-backend.js'

test('the guide explains every check, in the order in which they run', () => {
  const guide = new URL('../../../../docs/guide/backend.md', import.meta.url)
  const [, table = ''] = readFileSync(guide, 'utf8').split('## What each check promises')
  const explained = [...table.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name)
  const checks = backendContract({ create: goodBackend, model: { id: 'tiny' } })
  expect(explained).toEqual(checks.map(({ name }) => name))
})
