#!/usr/bin/env node
import process from 'node:process'
import { runProgram } from './cli/program.js'

const words = process.argv.slice(2)

// Under `npm run bench` a user starts again with npm, not with a program that is on no path.
const invocation =
  process.env.npm_lifecycle_event === 'bench' ? 'npm run bench --' : 'energy-bench bench quick'

// Whoever reads may stop reading (`| head`): then there is nothing left to say, and nothing is wrong.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runProgram(
  { words, invocation },
  { data: process.stdout, people: process.stderr },
)
