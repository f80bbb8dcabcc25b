import { EnergyBenchError, type Task, type TaskItem } from '@energy-bench/spec'
import { coreFamilies } from './core/item.js'
import { coreItemsPerFamilyLimit } from './core/items.js'
import { createPythonRandom, type PythonRandom } from './core/python-random.js'
import { type CoreExample, createCoreTask } from './core/task.js'
import { digestItems } from './digest.js'

/** How many items to draw, and how. */
export interface PrepareTaskOptions {
  /** Left out: all items of the task; for `core` 300. */
  readonly items?: number
  /** Seed of the draw, default 1. */
  readonly seed?: number
}

const defaultSeed = 1
const levels = [1, 2, 3] as const

/**
 * A task with a fixed sample of its items, the same for the same seed everywhere. For `core` the items are
 * spread evenly over families and levels, and all of them are held out from the reference model.
 *
 * @example
 * const task = await prepareTask('core', { items: 150, seed: 1234 })
 */
export function prepareTask(task: 'core', options?: PrepareTaskOptions): Promise<Task<CoreExample>>
export function prepareTask<Example>(
  task: Task<Example>,
  options?: PrepareTaskOptions,
): Promise<Task<Example>>
export async function prepareTask(
  task: Task | 'core',
  options: PrepareTaskOptions = {},
): Promise<Task> {
  if (task === 'core') return prepareCore(options)
  if (typeof task === 'string') throw unknownTask(task)
  if (options.items === undefined) return task
  const { items, seed } = checkedOptions(task.id, options, task.items.length)
  return withItems(task, drawInOrder(task.items, items, createPythonRandom(seed)), seed)
}

function prepareCore(options: PrepareTaskOptions): Task<CoreExample> {
  if (options.items === undefined) return createCoreTask()
  const pool = createCoreTask({ itemsPerFamily: coreItemsPerFamilyLimit })
  const strata = strataOf(pool)
  const limit = strata.length * Math.min(...strata.map((stratum) => stratum.length))
  const { items, seed } = checkedOptions('core', options, limit)
  const rng = createPythonRandom(seed)
  const drawn = strata.flatMap((stratum, position) => {
    const share = Math.floor(items / strata.length)
    const extra = position < items % strata.length ? 1 : 0
    return drawInOrder(stratum, share + extra, rng)
  })
  const kept = new Set(drawn)
  return withItems(
    pool,
    pool.items.filter((item) => kept.has(item)),
    seed,
  )
}

// One stratum a family and level. Six in a row are of six families and change the level, so that what is
// left over after an even split is spread over both.
function strataOf(task: Task<CoreExample>): TaskItem<CoreExample>[][] {
  return levels.flatMap((_, round) =>
    coreFamilies.map((family, position) => {
      const level = levels[(position + round) % levels.length]
      return task.items.filter(
        ({ example }) => example.family === family && example.level === level,
      )
    }),
  )
}

function drawInOrder<Item>(items: readonly Item[], count: number, rng: PythonRandom): Item[] {
  const drawn = new Set(rng.sample([...items.keys()], count))
  return items.filter((_, position) => drawn.has(position))
}

function withItems<Example>(
  task: Task<Example>,
  items: readonly TaskItem<Example>[],
  sampleSeed: number,
): Task<Example> {
  const render = (example: Example) => task.render(example)
  const provenance = {
    ...task.provenance,
    items: items.length,
    sampledFrom: task.items.length,
    sampleSeed,
  }
  return {
    ...task,
    items,
    digest: digestItems(items, render),
    provenance,
    render,
    score: (example, output) => task.score(example, output),
  }
}

function checkedOptions(task: string, options: PrepareTaskOptions, limit: number) {
  const { items = limit, seed = defaultSeed } = options
  if (!Number.isInteger(items) || items < 1 || items > limit) {
    throw new EnergyBenchError('task-invalid', `${task}: items is ${items}`, {
      fix: `Give a whole number from 1 to ${limit}.`,
    })
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new EnergyBenchError('task-invalid', `${task}: seed is ${seed}`, {
      fix: 'Give a whole number of 0 or more.',
    })
  }
  return { items, seed }
}

function unknownTask(name: string): EnergyBenchError {
  return new EnergyBenchError('task-invalid', `there is no built-in task ${JSON.stringify(name)}`, {
    fix: "Use 'core', or make the task with defineTask.",
  })
}
