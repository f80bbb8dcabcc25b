import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoadedModel, Task, TaskItem } from '@energy-bench/spec'
import { quantile, sum } from '@energy-bench/stats'
import { measure, openMeterFor } from '@energy-bench/sweep'
import type { BenchmarkResult } from './benchmark.js'

const rounds = 16
const itemsARound = 30
/** Threads that looked for other meters need some hundred milliseconds to end. */
const settleMs = 700
const target = 0.98

/** Time from the start of each item to the start of the next, seconds: what one more item costs in all. */
type Steps = readonly number[]

interface Round {
  readonly bare: Steps
  readonly measured: Steps
}

/** Throughput of `measure` over a bare loop: same model, same prompts, same process, in turns. Idle and warm-up are outside. */
export async function run(): Promise<BenchmarkResult> {
  await using held = await loadModel()
  const task = createTask()
  await runBare(held.model, task)
  const all: Round[] = []
  for (let round = 0; round < rounds; round += 1) all.push(await runRound(held.model, task, round))
  const throughputRatio = undisturbed(all, 'bare') / undisturbed(all, 'measured')
  return {
    name: 'harness-overhead',
    figures: {
      throughputRatio,
      medianRoundRatio: quantile(
        all.map((round) => sum(round.bare) / sum(round.measured)),
        0.5,
      ),
      bareItemsPerS: (task.items.length - 2) / undisturbed(all, 'bare'),
      measuredItemsPerS: (task.items.length - 2) / undisturbed(all, 'measured'),
      loadAverage: loadavg()[0] ?? 0,
    },
    targets: { throughputRatio: `>= ${target}` },
    met: throughputRatio >= target,
    notes: [
      held.note,
      `${rounds} rounds of ${task.items.length} items, the order swapped each round`,
    ],
  }
}

/**
 * Seconds for all items, each by its lower quartile over the rounds. Other programs on the machine only ever add time,
 * so the lower quartile says what the harness adds; the median of whole rounds beside it says what it was like today.
 */
function undisturbed(all: readonly Round[], side: keyof Round): number {
  const first = all[0]?.[side] ?? []
  const quartiles = first.map((_, index) =>
    quantile(
      all.flatMap((round) => round[side][index] ?? []),
      0.25,
    ),
  )
  return sum(quartiles)
}

/** Who goes first changes each round, so that a drift of the machine falls on both. */
async function runRound(model: LoadedModel, task: Task, round: number): Promise<Round> {
  if (round % 2 === 0) {
    const bare = await runBare(model, task)
    return { bare, measured: await runMeasured(model, task) }
  }
  const measured = await runMeasured(model, task)
  return { bare: await runBare(model, task), measured }
}

/** The plainest loop that gets and scores the same answers. */
async function runBare(model: LoadedModel, task: Task): Promise<Steps> {
  const startsS: number[] = []
  for (const item of task.items) {
    startsS.push(performance.now() / 1000)
    const output = await answerBare(model, task, item)
    await task.score(item.example, output)
  }
  return stepsBetween(startsS)
}

/** The meter is open only here: what it costs is part of what `measure` costs. Its start is not, a run pays it once. */
async function runMeasured(model: LoadedModel, task: Task): Promise<Steps> {
  await using meter = await openMeterFor(model.info)
  await delay(settleMs)
  const { items } = await measure(model, task, {
    meter,
    repetitions: 1,
    warmupItems: 0,
    idleS: 0.05,
    settleS: 0,
  })
  return stepsBetween(items.map((item) => item.startS))
}

/** Without the first item: after an idle window its caches are cold, which a run of hundreds of items pays once. */
function stepsBetween(startsS: readonly number[]): Steps {
  const warmS = startsS.slice(1)
  return warmS.slice(1).map((startS, index) => startS - (warmS[index] ?? startS))
}

async function answerBare(model: LoadedModel, task: Task, item: TaskItem): Promise<string> {
  let output = ''
  const content = String(task.render(item.example))
  const messages = [{ role: 'user' as const, content }]
  const { maxOutputTokens } = task
  for await (const event of model.generate({ messages, maxOutputTokens, temperature: 0 })) {
    if (event.type === 'text-delta') output += event.text
  }
  return output
}

function createTask(): Task {
  return {
    specVersion: 1,
    id: 'harness-overhead',
    version: '1',
    maxOutputTokens: 24,
    items: Array.from({ length: itemsARound }, (_, index) => ({ id: `${index}`, example: index })),
    digest: 'sha256:0',
    provenance: {},
    render: (example) => `What is ${example} + 17? Answer with the number only.`,
    score: (example, output) => ({
      outcome: output.includes(String(Number(example) + 17)) ? 'correct' : 'wrong',
    }),
  }
}

interface HeldModel extends AsyncDisposable {
  readonly model: LoadedModel
  readonly note: string
}

/** The embedded model where it is built, else a stand-in that only burns time. */
async function loadModel(): Promise<HeldModel> {
  try {
    return await loadReferenceModel()
  } catch (error) {
    const model = createBurner()
    const said = error instanceof Error ? error.message : String(error)
    return {
      model,
      note: `stand-in that burns CPU time, because the reference model did not load: ${said}`,
      [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
    }
  }
}

async function loadReferenceModel(): Promise<HeldModel> {
  const { createLlamaCpp } = await import('@energy-bench/backends/llama-cpp')
  const { findReferenceModel } = await import('@energy-bench/reference-model')
  const backend = createLlamaCpp()
  const model = await backend.load({ path: findReferenceModel('Q8_0').path })
  return {
    model,
    note: 'reference model Q8_0 in process, by llama.cpp',
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await backend[Symbol.asyncDispose]()
    },
  }
}

/** 24 tokens of 1 ms each, with a turn of the event loop between them, as a real engine gives. */
function createBurner(): LoadedModel {
  const missing = { status: 'unknown' as const, reason: 'a stand-in has none' }
  return {
    info: {
      engine: 'burner',
      engineVersion: missing,
      model: missing,
      modelDigest: missing,
      quantization: missing,
      contextTokens: missing,
      slots: 1,
      threads: 1,
      gpuLayers: 0,
      deviceUuids: missing,
      processId: process.pid,
      promptCache: 'off',
      chatTemplateDigest: missing,
      samplingApplied: missing,
      settings: {},
    },
    supports: { seed: false, concurrency: false, thinking: false },
    async *generate({ maxOutputTokens }) {
      for (let token = 0; token < maxOutputTokens; token += 1) {
        const untilMs = performance.now() + 1
        while (performance.now() < untilMs);
        await new Promise((resolve) => setImmediate(resolve))
        yield { type: 'text-delta', text: 'x' }
      }
      yield {
        type: 'end',
        finishReason: 'length',
        inputTokens: 20,
        cachedInputTokens: 0,
        outputTokens: maxOutputTokens,
        thinkingTokens: 0,
        thinking: { asked: null, observed: false },
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}
