// npm run contract -- URL [--model NAME] [--concurrency 8]: asks the engine at a URL for every promise of the contract.
import process from 'node:process'
import { build, install, run } from './prepare.mjs'

install()
build()
run('npx', ['tsx', 'scripts/engine-contract.ts', ...process.argv.slice(2)])
