#!/usr/bin/env node
import process from 'node:process'
import { runProgram } from './cli/program.js'

const words = process.argv.slice(2)

// Under `npm run bench` a user starts again with npm, not with a program that is on no path.
const invocation =
  process.env.npm_lifecycle_event === 'bench' ? 'npm run bench --' : 'energy-bench bench quick'

process.exitCode = await runProgram(
  { words, invocation },
  { data: process.stdout, people: process.stderr },
)
