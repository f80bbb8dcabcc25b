import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const document = readFileSync(new URL('../../../docs/meter-faults.md', import.meta.url), 'utf8')

interface NamedTest {
  readonly file: string
  readonly name: string
}

/** The rows of all tables, each as its cells. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-+|row|fault) /.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

function testsIn(cell: string): readonly NamedTest[] {
  return cell.split('<br>').map((part) => {
    const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(part) ?? []
    return { file, name }
  })
}

/** True when the file has this text as the name of a test, of a group of tests, or of a row of one. */
function hasTest({ file, name }: NamedTest): boolean {
  const path = fileURLToPath(new URL(file, import.meta.url))
  if (file === '' || !existsSync(path)) return false
  const source = readFileSync(path, 'utf8')
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`))
}

test('every row of the table of faults names at least one test, and every test that it names exists', () => {
  expect(rows.length).toBeGreaterThan(60)
  const named = rows.flatMap((cells) => testsIn(cells.at(-1) ?? ''))
  expect(named.filter((one) => !hasTest(one))).toEqual([])
})

test('every row that was reported in public is in the table, once, in order', () => {
  const numbers = rows.map(([first]) => Number(first)).filter((number) => number > 0)
  const missing = [14, 18, 28, 35, 44, 47]
  const expected = Array.from({ length: 55 }, (_, index) => index + 1)
  expect(numbers).toEqual(expected.filter((number) => !missing.includes(number)))
})

test('a name that no test has, and a file that is not there, are found out', () => {
  const here = 'meter-faults.test.ts'
  const name = 'a name that no test has, and a file that is not there, are found out'
  expect(hasTest({ file: here, name })).toBe(true)
  expect(hasTest({ file: here, name: name.toUpperCase() })).toBe(false)
  expect(hasTest({ file: 'no-such-file.test.ts', name })).toBe(false)
})
