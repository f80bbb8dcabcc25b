// npm run bench: installs, builds and runs the main job. What follows `--` goes to `energy-bench bench quick`.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { build, install, root } from './prepare.mjs'

install()
build()

const cli = join(root, 'packages', 'energy-bench', 'dist', 'cli.js')
const child = spawn(process.execPath, [cli, 'bench', 'quick', ...process.argv.slice(2)], {
  stdio: 'inherit',
})

// The terminal sends Ctrl-C to both processes; the child decides how to end, so this one only waits.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => signal === 'SIGTERM' && child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 130))
