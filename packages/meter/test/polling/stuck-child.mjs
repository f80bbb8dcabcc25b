// Opens a meter on a library that will hang, waits for a word on stdin, and ends in the way that it was told.
import { once } from 'node:events'
import process from 'node:process'
import { openMeter } from '@energy-bench/meter'

const [library, wayToEnd] = process.argv.slice(2)
const opening = openMeter({ meter: 'nvml', nvmlLibraryPath: library, environment: {} })
const ends = {
  async 'dispose and return'() {
    const meter = await opening
    await meter[Symbol.asyncDispose]()
    process.exitCode = 7
    process.stdout.write('x'.repeat(300_000))
  },
  'process.exit'() {
    // A pipe holds 64 KiB, and process.exit of Node never waits for more.
    process.stdout.write('x'.repeat(60_000))
    process.exit(5)
  },
  return() {
    process.exitCode = 3
  },
  throw() {
    throw new Error('the application is broken')
  },
}
await once(process.stdin, 'data')
process.stdin.destroy()
process.on('exit', (code) => process.stdout.write(`last words ${code}`))
setImmediate(ends[wayToEnd])
