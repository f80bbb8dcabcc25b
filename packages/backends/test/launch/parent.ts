// A process that launches the engine of its first argument, says which processes run, and then ends in some way.
import process from 'node:process'
import { launchEngine } from '../../src/launch/index.js'
import { childrenIn } from './fake-engine.js'

const [plan = '{}', ending] = process.argv.slice(2)
const engine = await launchEngine(JSON.parse(plan))
const children = childrenIn(await engine.lastLogLines())
process.stdout.write(`${JSON.stringify([engine.processId, ...children])}\n`)
if (ending === 'exit') process.exit(0)
if (ending === 'throw') throw new Error('nobody catches this')
// Nothing keeps this process from ending when nothing is left to do: the engine does not.
if (ending !== 'return') setInterval(() => {}, 1000)
