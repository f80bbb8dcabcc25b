import { byLevel, choose, chooseAndFill, drawInt, fill } from './draw.js'
import type { Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import type { Story } from './story.js'
import { templates } from './templates.js'

type Change = 'buy' | 'find' | 'give' | 'lose' | 'boxes' | 'double' | 'share'

interface Scene {
  readonly level: Level
  readonly rng: PythonRandom
  /** Values of the placeholders that stay the same in the whole story. */
  readonly fixed: Readonly<Record<string, string>>
  count: number
  readonly sentences: string[]
  readonly steps: string[]
}

const { names, femaleNames, objects, boxes } = templates
const { chain, pronouns } = templates.wordProblem

/** A person has some objects; then several things change their number. */
export function makeChain(level: Level, rng: PythonRandom): Story {
  const scene = openScene(level, rng)
  const changes = byLevel(level, [2, drawInt(rng, 3, 4), drawInt(rng, 4, 6)])
  for (let i = 0; i < changes; i++) addChange(scene)
  scene.sentences.push(chooseAndFill(rng, chain.questions, scene.fixed))
  return { text: scene.sentences.join(' '), answer: scene.count, steps: scene.steps }
}

function openScene(level: Level, rng: PythonRandom): Scene {
  const name = choose(rng, names)
  const words = femaleNames.includes(name) ? pronouns.female : pronouns.male
  const kind = choose(rng, objects)
  const { subject: She, lower: she, possessive: her } = words
  const fixed = { name, objects: kind, She, she, her }
  const count = drawInt(rng, 4, highestCount(level))
  const start = chooseAndFill(rng, chain.starts, { ...fixed, count })
  return { level, rng, fixed, count, sentences: [start], steps: [] }
}

function addChange(scene: Scene): void {
  const { level, rng } = scene
  const drawn = choose(rng, possibleChanges(scene))
  const friend = choose(rng, names)
  if (drawn === 'share' && addShare(scene)) return
  apply(scene, feasible(drawn, scene.count), friend)
  if (level === 3 && rng.random() < 0.25) addDistraction(scene, friend)
}

function possibleChanges({ level, count }: Scene): Change[] {
  const changes: Change[] = ['buy', 'give', 'lose', 'find']
  if (level >= 2) changes.push('boxes')
  if (level >= 2 && count <= 120) changes.push('double')
  if (level === 3) changes.push('share', 'boxes')
  return changes
}

// Where nothing can be shared or taken, something is bought.
function feasible(change: Change, count: number): Exclude<Change, 'share'> {
  if (change === 'share') return 'buy'
  return (change === 'give' || change === 'lose') && count < 3 ? 'buy' : change
}

function apply(scene: Scene, change: Exclude<Change, 'share'>, friend: string): void {
  switch (change) {
    case 'boxes':
      addBoxes(scene, friend)
      break
    case 'double':
      addDouble(scene)
      break
    case 'buy':
    case 'find':
      addMore(scene, change, friend)
      break
    default:
      addLess(scene, change, friend)
  }
}

function addShare(scene: Scene): boolean {
  const { rng, count, fixed } = scene
  const divisors = [2, 3, 4, 5].filter((d) => count % d === 0 && count / d > 1)
  if (divisors.length === 0) return false
  const parts = choose(rng, divisors)
  scene.sentences.push(chooseAndFill(rng, chain.share, { ...fixed, parts }))
  setCount(scene, `${count}/${parts}`, count / parts)
  return true
}

function addMore(scene: Scene, change: 'buy' | 'find', friend: string): void {
  const { rng, fixed } = scene
  const count = drawInt(rng, 2, highestCount(scene.level))
  scene.sentences.push(chooseAndFill(rng, chain[change], { ...fixed, friend, count }))
  setCount(scene, `${scene.count}+${count}`, scene.count + count)
}

function addLess(scene: Scene, change: 'give' | 'lose', friend: string): void {
  const { rng, fixed } = scene
  const count = drawInt(rng, 1, scene.count - 1)
  const sold = change === 'give' ? chooseAndFill(rng, chain.sold, fixed) : ''
  scene.sentences.push(chooseAndFill(rng, chain[change], { ...fixed, friend, count, sold }))
  setCount(scene, `${scene.count}-${count}`, scene.count - count)
}

function addBoxes(scene: Scene, friend: string): void {
  const { level, rng, fixed } = scene
  const number = drawInt(rng, 2, byLevel(level, [6, 6, 12]))
  const each = drawInt(rng, 2, byLevel(level, [9, 9, 15]))
  const values = { ...fixed, friend, boxes: number, each, boxKind: choose(rng, boxes) }
  scene.sentences.push(chooseAndFill(rng, chain.boxes, values))
  const added = number * each
  scene.steps.push(`${number}*${each}=${added}`)
  setCount(scene, `${scene.count}+${added}`, scene.count + added)
}

function addDouble(scene: Scene): void {
  scene.sentences.push(chooseAndFill(scene.rng, chain.double, scene.fixed))
  setCount(scene, `${scene.count}*2`, scene.count * 2)
}

function addDistraction(scene: Scene, friend: string): void {
  const { rng, fixed } = scene
  const other = choose(rng, objects)
  if (other === fixed.objects) return
  const values = { friend, count: drawInt(rng, 2, 30), objects: other }
  scene.sentences.push(fill(chain.distraction, values))
}

function setCount(scene: Scene, sum: string, result: number): void {
  scene.steps.push(`${sum}=${result}`)
  scene.count = result
}

function highestCount(level: Level): number {
  return byLevel(level, [20, 60, 150])
}
