// npm run check: lint, types, boundaries, unused code and the shape of the packages. Stops at the first that fails.
import process from 'node:process'
import { build, install, run } from './prepare.mjs'

install()
build()

const checks = [
  ['lint and format', ['biome', 'ci', '--error-on-warnings']],
  ['types', ['tsc', '-p', 'tsconfig.json']],
  ['boundaries', ['turbo', 'boundaries']],
  ['unused code', ['knip']],
  ['packages', ['turbo', 'run', 'check:package', '--output-logs=errors-only']],
  ['snippets in documents', ['tsx', 'scripts/snippets.ts', '--check']],
]
for (const [name, command] of checks) {
  process.stderr.write(`Checking ${name} ...\n`)
  run('npx', command)
}
