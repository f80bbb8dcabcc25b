import { readdirSync, readFileSync } from 'node:fs'
import { meterFlagNames } from '@energy-bench/meter'
import { expect, test } from 'vitest'

const document = readFileSync(new URL('../../../docs/methodology.md', import.meta.url), 'utf8')
const folder = new URL('../src/flags/', import.meta.url)
const source = readdirSync(folder)
  .filter((name) => name.endsWith('-checks.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')

interface Flag {
  readonly name: string
  readonly severity: string
  readonly fix: string
}

/** Rows of the first table of flags: name, severity, cause, what to do. */
const written = document
  .split('\n')
  .map((line) => /^\| `([a-z-]+)` +\| ([a-z ]+?) +\|.+\| (\S.*?) +\|$/.exec(line))
  .flatMap((match): Flag[] => {
    const [, name = '', severity = '', fix = ''] = match ?? []
    return meterFlagNames.some((known) => known === name) ? [{ name, severity, fix }] : []
  })

/** The flags as the checks make them; one whose severity depends on the reading is `invalid or warning`. */
const made = [
  ...source.matchAll(
    /name: '([a-z-]+)',\s+severity: (?:'([a-z]+)'|.+),\s+cause:[\s\S]*?fix: '([^']+)'/g,
  ),
].map(([, name = '', severity = 'invalid or warning', fix = '']): Flag => ({ name, severity, fix }))

test('the table of flags has every flag, in the order of their names in the code', () => {
  expect(written.map(({ name }) => name)).toEqual([...meterFlagNames])
})

test('severity and remedy of each flag in the table are those of the code', () => {
  const byName = (a: Flag, b: Flag) => a.name.localeCompare(b.name)
  expect(made).toHaveLength(meterFlagNames.length)
  expect([...written].sort(byName)).toEqual([...made].sort(byName))
})

test('every file that the methodology names is there', () => {
  const places = { sweep: '../../sweep/', stats: '../../stats/' }
  const paths = [...document.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.ts)`/g)].map(([, path = '']) => path)
  const files = paths.map((path) => {
    if (path.startsWith('packages/')) return new URL(`../../../${path}`, import.meta.url)
    const [, name, rest] = /^(sweep|stats)\/(.*)$/.exec(path) ?? []
    const base = name === 'sweep' || name === 'stats' ? places[name] : '../src/'
    return new URL(`${base}${rest ?? path}`, import.meta.url)
  })
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) expect(() => readFileSync(file)).not.toThrow()
})
