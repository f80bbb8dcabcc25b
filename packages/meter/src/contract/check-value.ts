import assert from 'node:assert/strict'
import type { EnergyDomain, Unavailable } from '@energy-bench/spec'

/** Fails when there is no reason that a program can use, or no detail that people can. */
export function checkUnavailable(id: string, { reason, detail }: Unavailable): void {
  assert.match(reason, /^[a-z]+(-[a-z]+)*$/, `${id} is unavailable with reason "${reason}"`)
  assert.ok(detail.trim() !== '', `${id} is unavailable (${reason}) without a detail`)
}

/** Fails when two domains have one id, or one has none. */
export function checkIds(domains: readonly EnergyDomain[]): void {
  const ids = domains.map(({ id }) => id)
  assert.ok(ids.length > 0, 'there is no domain')
  assert.ok(!ids.includes(''), 'a domain has no id')
  assert.equal(new Set(ids).size, ids.length, `two domains have one id: ${ids.join(', ')}`)
}

/** Fails when the entries are not those of the domains. */
export function checkKeys(domains: readonly EnergyDomain[], entries: object, what: string): void {
  const expected = domains.map(({ id }) => id).sort()
  const given = Object.keys(entries).sort()
  assert.deepEqual(given, expected, `${what} has ${given.join(', ')}, not ${expected.join(', ')}`)
}

/** Fails for NaN and the infinities. */
export function checkFinite(name: string, value: number): void {
  assert.ok(Number.isFinite(value), `${name} is ${value}`)
}
