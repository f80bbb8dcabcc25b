import { byLevel, choose, chooseAndFill, drawInt, fill } from './draw.js'
import type { CoreDraft, Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import type { Story } from './story.js'
import { templates } from './templates.js'
import { makeChain } from './word-problem-chain.js'

const { names, objects, days } = templates
const { endings, price, passengers, rate } = templates.wordProblem

/** A short story about counts, prices, passengers or hours, with one number as the answer. */
export function makeWordProblem(level: Level, rng: PythonRandom): CoreDraft {
  // A chain of changes is three times as likely as each of the others.
  const makers = [makeChain, makeChain, makeChain, makePrice, makePassengers, makeRate]
  const { text, answer, steps } = choose(rng, makers)(level, rng)
  const prompt = rng.random() < 0.4 ? text + choose(rng, endings) : text
  return { prompt, answer: String(answer), think: steps.join('\n'), key: prompt }
}

function makePrice(level: Level, rng: PythonRandom): Story {
  const name = choose(rng, names)
  const first = choose(rng, objects)
  let second = choose(rng, objects)
  while (second === first) second = choose(rng, objects)
  const high = byLevel(level, [6, 12, 25])
  const firstPrice = drawInt(rng, 2, high)
  const secondPrice = drawInt(rng, 2, high)
  const firstCount = drawInt(rng, 2, high)
  const secondCount = drawInt(rng, 2, high)
  const [firstCost, secondCost] = [firstPrice * firstCount, secondPrice * secondCount]
  const total = firstCost + secondCost
  const steps = [
    `${firstCount}*${firstPrice}=${firstCost}`,
    `${secondCount}*${secondPrice}=${secondCost}`,
    `${firstCost}+${secondCost}=${total}`,
  ]
  const values = { name, first, second, firstPrice, secondPrice, firstCount, secondCount }
  const offer = chooseAndFill(rng, price.offers, values)
  if (level < 3 && rng.random() >= 0.3) {
    return { text: offer + fill(price.total, { name }), answer: total, steps }
  }
  const paid = total + drawInt(rng, 1, 50)
  const change = `${paid}-${total}=${paid - total}`
  const text = offer + fill(price.change, { name, paid })
  return { text, answer: paid - total, steps: [...steps, change] }
}

function makePassengers(level: Level, rng: PythonRandom): Story {
  let count = drawInt(rng, 5, byLevel(level, [20, 40, 60]))
  const vehicle = choose(rng, passengers.vehicles)
  const sentences = [fill(passengers.start, { vehicle, count })]
  const steps: string[] = []
  const stops = byLevel(level, [1, 2, 4]) - (level === 3 && rng.random() < 0.4 ? 1 : 0)
  for (let stop = 1; stop <= stops; stop++) {
    const on = drawInt(rng, 1, 25)
    const off = drawInt(rng, 1, count)
    sentences.push(chooseAndFill(rng, passengers.stops, { stop, off, on }))
    const stayed = count - off
    steps.push(`${count}-${off}=${stayed}`, `${stayed}+${on}=${stayed + on}`)
    count = stayed + on
  }
  const text = sentences.join(' ') + fill(passengers.question, { vehicle })
  return { text, answer: count, steps }
}

function makeRate(level: Level, rng: PythonRandom): Story {
  const high = byLevel(level, [6, 9, 15])
  const perHour = drawInt(rng, 2, high)
  const firstHours = drawInt(rng, 2, high)
  const secondHours = drawInt(rng, 2, high)
  const firstDay = choose(rng, days)
  const secondDay = choose(rng, days)
  const name = choose(rng, names)
  const things = choose(rng, rate.things)
  const values = { name, things, perHour, firstHours, secondHours, firstDay, secondDay }
  const work = fill(rate.work, values)
  const hours = firstHours + secondHours
  const total = perHour * hours
  const steps = [`${firstHours}+${secondHours}=${hours}`, `${hours}*${perHour}=${total}`]
  if (level === 1 || rng.random() >= 0.6) {
    return { text: work + fill(rate.total, { things, name }), answer: total, steps }
  }
  const sold = drawInt(rng, 1, total - 1)
  const left = `${total}-${sold}=${total - sold}`
  const text = work + fill(rate.left, { sold, things })
  return { text, answer: total - sold, steps: [...steps, left] }
}
