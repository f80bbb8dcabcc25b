// npm run test:engines: the contract against a real llama-server, LLAMA_SERVER or the one in .cache, which is built if needed.
import process from 'node:process'
import { run } from './prepare.mjs'

if (!process.env.LLAMA_SERVER) run('node', ['scripts/build-llama-server.mjs'])
run('node', ['scripts/test.mjs', 'packages/backends/test/engines', ...process.argv.slice(2)])
