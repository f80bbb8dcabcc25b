// npm run test:engines: builds llama-server once, then runs every test that needs a real engine.
import process from 'node:process'
import { build, install, run } from './prepare.mjs'

install()
if (process.env.LLAMA_SERVER === undefined) run('node', ['scripts/build-llama-server.mjs'])
build()
const folder = 'packages/backends/test/engines'
run('npx', ['vitest', 'run', '--config', 'vitest.workspace.ts', '--reporter=verbose', folder])
