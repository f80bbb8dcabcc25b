// Measures the embedded reference model on a few generated items, and asserts what came out.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// #region imports
import { createLlamaCpp } from '@energy-bench/backends/llama-cpp'
import { findReferenceModel, measure, parseCellReport, prepareTask } from 'energy-bench'

// #endregion imports

const folder = await mkdtemp(join(tmpdir(), 'first-measurement-'))
process.chdir(folder)

// #region measure
const task = await prepareTask('core', { items: 18, seed: 1234 })
const { path } = findReferenceModel('Q8_0') // or any GGUF file of yours
await using model = await createLlamaCpp().load({ path })
const report = await measure(model, task, { repetitions: 3, thinking: 'off' })

console.log(report.energyPerCorrectJ) // { status: 'ok', value, low, high, accounting: 'net', method, ... }
console.log(report.accuracy) // { ratio, low, high, correct, items }
console.log(report.energyNetJ) // { mean, std, cvRatio } over the repetitions
console.log(report.honesty) // what to know before quoting it: estimate-only, throttled, high-cv, ...
await report.save('report.json')
// #endregion measure

assert.equal(report.energyPerCorrectJ.status, 'ok')
assert.equal(report.items.length, 54)
const reread = parseCellReport(JSON.parse(await readFile('report.json', 'utf8')))
assert.deepEqual(reread.toJSON(), report.toJSON())
process.chdir(tmpdir())
await rm(folder, { recursive: true })
