// npm run benchmark -- NAME [--json]: prints the figures of one benchmark, its targets and its peers.
import process from 'node:process'
import { build, install, run } from './prepare.mjs'

install()
build()
run('npx', ['tsx', 'benchmarks/run.ts', ...process.argv.slice(2)])
