// npm run benchmark -- NAME [--json]: stdout gets the result, stderr what is said to people.
import process from 'node:process'
import type { BenchmarkResult } from './benchmark.js'

const benchmarks: Readonly<Record<string, () => Promise<{ run(): Promise<BenchmarkResult> }>>> = {
  'meter-replay': () => import('./meter-replay.js'),
  'meter-uncertainty': () => import('./meter-uncertainty.js'),
  'meter-overhead': () => import('./meter-overhead.js'),
  'meter-on-gpu': () => import('./meter-on-gpu.js'),
  'decode-on-gpu': () => import('./decode-on-gpu.js'),
  'harness-overhead': () => import('./harness-overhead.js'),
  'client-overhead': () => import('./client-overhead.js'),
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const load = benchmarks[names[0] ?? '']
if (load === undefined) {
  process.stderr.write(`Which benchmark? One of: ${Object.keys(benchmarks).join(', ')}.\n`)
  process.exit(2)
}
const result = await (await load()).run()
process.stdout.write(
  process.argv.includes('--json') ? `${JSON.stringify(result)}\n` : describe(result),
)
process.exit(result.met ? 0 : 1)

function describe({ name, figures, targets, met, notes = [] }: BenchmarkResult): string {
  const width = Math.max(...Object.keys(figures).map((figure) => figure.length))
  const rows = Object.entries(figures).map(([figure, value]) => {
    const target = targets[figure] === undefined ? '' : `   target ${targets[figure]}`
    return `  ${figure.padEnd(width)}  ${Number(value.toPrecision(4))}${target}`
  })
  const verdict = met ? 'All targets met.' : 'A target was MISSED.'
  return [name, ...rows, ...notes.map((note) => `  ${note}`), verdict, ''].join('\n')
}
