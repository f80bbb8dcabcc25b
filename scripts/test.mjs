// npm test: installs if needed, builds, runs every test and ends with `N passed, N failed` alone on a line. What was
// skipped, and why, stands above it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { build, install, root } from './prepare.mjs'

install()
build()

const output = join(root, '.test-output', 'vitest.json')
mkdirSync(join(root, '.test-output'), { recursive: true })
rmSync(output, { force: true })
const tests = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--config',
    'vitest.workspace.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exit(summarize(tests.status))

/** Counts what ran; a run that broke before it could write its result is one failure. */
function summarize(status) {
  const { passed, failed, skipped } = counts(status)
  for (const [name, count] of skipped) process.stdout.write(`skipped: ${name}, ${count} tests\n`)
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return status === 0 && failed === 0 && passed > 0 ? 0 : 1
}

function counts(status) {
  try {
    const result = JSON.parse(readFileSync(output, 'utf8'))
    const broken = status !== 0 && result.numFailedTests === 0 ? 1 : 0
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken,
      skipped: skippedGroups(result),
    }
  } catch {
    return { passed: 0, failed: 1, skipped: [] }
  }
}

/** Tests that did not run, counted by their outermost group, whose name says why. */
function skippedGroups({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const groups = new Map()
  for (const { status, ancestorTitles, title } of tests) {
    const name = ancestorTitles.find((text) => text !== '') ?? title
    if (status === 'skipped' || status === 'pending') groups.set(name, (groups.get(name) ?? 0) + 1)
  }
  return groups
}
