import { readFileSync } from 'node:fs'
import { meterFlagNames } from '@energy-bench/meter'
import { expect, test } from 'vitest'
import { flagSchema } from '../src/report/figure-schemas.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const document = read('../../../docs/methodology.md')
const source = `${read('../src/report/energy-flags.ts')}${read('../src/report/run-flags.ts')}`

const ofMeter: readonly string[] = meterFlagNames
const ownNames = flagSchema.shape.name.options.filter((name) => !ofMeter.includes(name))

/** Rows of the table of flags of a run: name, cause, what to do. */
const written = document
  .split('\n')
  .map((line) => /^\| `([a-z-]+)` +\| .+ \| (\S.*?) +\|$/.exec(line))
  .flatMap((match) => {
    const [, name = '', fix = ''] = match ?? []
    return ownNames.some((known) => known === name) ? [[name, fix] as const] : []
  })

test('the table of flags of a run has every one that is not of the meter, with the remedy of the code', () => {
  const made = [...source.matchAll(/name: '([a-z-]+)',\s+cause:[\s\S]*?fix: ['`](.+)['`],/g)].map(
    ([, name = '', fix = '']) => [name, fix.replace(/\$\{fewRepetitionsLimit\}/, '3')] as const,
  )
  const own = made.filter(([name]) => !ofMeter.includes(name))
  expect(own).toHaveLength(ownNames.length)
  expect(new Map(written)).toEqual(new Map(own))
  expect(written).toHaveLength(ownNames.length)
})
