// npm run build:llama-server [-- --cuda] [--jobs 16]: builds llama.cpp's server once into .cache and prints its path.
import process from 'node:process'
import { install, run } from './prepare.mjs'

install()
run('npx', ['tsx', 'scripts/llama-server/build.ts', ...process.argv.slice(2)])
