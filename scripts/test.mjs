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
  for (const name of skipped) process.stdout.write(`skipped: ${name}\n`)
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return status === 0 && failed === 0 && passed > 0 ? 0 : 1
}

function counts(status) {
  try {
    const result = JSON.parse(readFileSync(output, 'utf8'))
    const broken = status !== 0 && result.numFailedTests === 0 ? 1 : 0
    const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults)
    const skipped = tests.filter(({ status }) => status === 'skipped' || status === 'pending')
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken,
      skipped: skipped.map(({ fullName }) => fullName),
    }
  } catch {
    return { passed: 0, failed: 1, skipped: [] }
  }
}
