// Builds llama-server from the sources inside node-llama-cpp and prints its path on stdout; see build-llama-server.mjs.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  type BuildTarget,
  binaryPath,
  cacheFolder,
  compileArguments,
  configureArguments,
} from './build-plan.js'
import { bundleFolder, readRelease } from './cached-binary.js'
import { canStart, missingTools, requiredTools } from './required-tools.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: { cuda: { type: 'boolean', default: false }, jobs: { type: 'string', default: '2' } },
})

const bundle = bundleFolder(root) ?? fail('node-llama-cpp is not installed. Run `npm ci`.')
const target: BuildTarget = {
  release: readRelease(bundle),
  device: values.cuda ? 'cuda' : 'cpu',
}
const binary = binaryPath(root, target)
if (!existsSync(binary)) build()
process.stdout.write(`${binary}\n`)

function build(): void {
  const missing = missingTools(requiredTools(target.device))
  if (missing.length > 0) fail(missing.join('\n'))
  const work = join(cacheFolder(root, target), 'work')
  const folders = { source: join(work, 'source'), build: join(work, 'build') }
  note(
    `Building llama-server ${target.release} for ${target.device}, about 5 minutes on 2 cores ...`,
  )
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  run('git', ['clone', '--quiet', join(bundle, 'gitRelease.bundle'), folders.source])
  const generator = canStart('ninja') ? 'Ninja' : undefined
  run('cmake', configureArguments(folders, target.device, generator))
  run('cmake', compileArguments(folders.build, jobs()))
  keep(join(folders.build, 'bin', basename(binary)))
  rmSync(work, { recursive: true })
}

/** Renamed into place last: a build that was stopped leaves nothing that looks whole. */
function keep(built: string): void {
  const folder = dirname(binary)
  const half = `${folder}.half`
  mkdirSync(half, { recursive: true })
  cpSync(built, join(half, basename(binary)))
  renameSync(half, folder)
}

function jobs(): number {
  const count = Number(values.jobs)
  return Number.isInteger(count) && count > 0
    ? count
    : fail(`--jobs must be a whole number from 1, not ${values.jobs}.`)
}

/** Standard output is for the path alone, so what the tools say goes to standard error. */
function run(command: string, args: readonly string[]): void {
  const { error, status } = spawnSync(command, args, { stdio: ['ignore', 2, 2] })
  if (error !== undefined) fail(`${command} could not be started: ${error.message}`)
  if (status !== 0) fail(`${command} ended with status ${status}; what it said is above.`)
}

function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

function fail(text: string): never {
  note(text)
  process.exit(3)
}
