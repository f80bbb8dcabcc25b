// Shared by the root commands: each works right after `git clone`, with nothing else done.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }

/** Runs a command in the repository root and ends this process with its status if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment,
    ...options,
  })
  if (result.error) {
    process.stderr.write(`${command} could not be started: ${result.error.message}\n`)
    process.exit(3)
  }
  if (result.status !== 0) {
    if (options.stdio !== undefined)
      process.stderr.write(String(result.stdout ?? '') + String(result.stderr ?? ''))
    process.exit(result.status ?? 1)
  }
  return result
}

/** Installs the locked dependencies, unless the installed ones are already those of the lock file. */
export function install() {
  if (isInstalled()) return
  note('Installing dependencies (npm ci) ...')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], quiet())
}

/** Compares the lock file with the one that npm keeps of what it installed. */
function isInstalled() {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const installed = packagesOf(hidden)
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    return found === undefined ? optional === true : found.version === version
  })
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** Builds every package; what has not changed comes from the cache of turbo. */
export function build() {
  note('Building ...')
  run(
    'npx',
    ['turbo', 'run', 'build', '--output-logs=errors-only', '--filter=./packages/*'],
    quiet(),
  )
}

function note(text) {
  process.stderr.write(`${text}\n`)
}

function quiet() {
  return { stdio: ['ignore', 'pipe', 'pipe'] }
}
