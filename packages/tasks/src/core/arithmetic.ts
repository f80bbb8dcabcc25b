import {
  additionSteps,
  divisionSteps,
  multiplicationSteps,
  subtractionSteps,
} from './arithmetic-steps.js'
import { byLevel, choose, chooseAndFill, drawInt } from './draw.js'
import type { CoreDraft, Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import { templates } from './templates.js'

type Operator = '+' | '-' | '*' | '/'

interface Sum {
  readonly a: number
  readonly b: number
  readonly answer: string
  readonly think: string
}

/** A sum of two whole numbers; from level 2 on, division with remainder too. */
export function makeArithmetic(level: Level, rng: PythonRandom): CoreDraft {
  const operators: readonly Operator[] = level === 1 ? ['+', '-', '*'] : ['+', '-', '*', '/']
  const operator = choose(rng, operators)
  const sum = drawSum(operator, level, rng)
  const symbol = operator === '*' ? choose(rng, ['*', 'x']) : operator
  const { division, questions, operatorWords } = templates.arithmetic
  const { a, b, answer, think } = sum
  const values = { a, b, symbol, word: operatorWords[operator] }
  const prompt = chooseAndFill(rng, operator === '/' ? division : questions, values)
  return { prompt, answer, think, key: level === 1 ? prompt : `arith ${a} ${operator} ${b}` }
}

function drawSum(operator: Operator, level: Level, rng: PythonRandom): Sum {
  if (operator === '*') return drawProduct(level, rng)
  if (operator === '/') return drawDivision(level, rng)
  return drawAdditive(operator, level, rng)
}

function drawAdditive(operator: '+' | '-', level: Level, rng: PythonRandom): Sum {
  const low = byLevel(level, [1, 123, 1234])
  const high = byLevel(level, [199, 9999, 999_999])
  const a = drawInt(rng, low, high)
  const b = drawInt(rng, low, high)
  if (operator === '+') return { a, b, answer: String(a + b), think: additionSteps(a, b) }
  const [more, less] = a < b ? [b, a] : [a, b]
  const think = subtractionSteps(more, less)
  return { a: more, b: less, answer: String(more - less), think }
}

function drawProduct(level: Level, rng: PythonRandom): Sum {
  const [lowA, highA] = byLevel(level, [[2, 19] as const, [11, 99], [101, 999]])
  const [lowB, highB] = byLevel(level, [[2, 9] as const, [3, 99], [11, 99]])
  const drawnA = drawInt(rng, lowA, highA)
  const drawnB = drawInt(rng, lowB, highB)
  const [a, b] = rng.random() < 0.3 ? [drawnB, drawnA] : [drawnA, drawnB]
  return { a, b, answer: String(a * b), think: multiplicationSteps(a, b) }
}

function drawDivision(level: Level, rng: PythonRandom): Sum {
  const a = level === 2 ? drawInt(rng, 30, 999) : drawInt(rng, 200, 9999)
  const b = level === 2 ? drawInt(rng, 3, 9) : drawInt(rng, 11, 29)
  return { a, b, answer: `${Math.floor(a / b)} r ${a % b}`, think: divisionSteps(a, b) }
}
