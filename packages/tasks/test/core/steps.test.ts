import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  additionSteps,
  divisionSteps,
  multiplicationSteps,
  subtractionSteps,
} from '../../src/core/arithmetic-steps.js'
import { coreItems } from '../../src/index.js'

describe('worked steps', () => {
  test('of an addition carry from right to left', () => {
    expect(additionSteps(95, 17)).toBe('5+7+0=12 2\n9+1+1=11 12\n112')
  })

  test('of a subtraction say where they borrow', () => {
    expect(subtractionSteps(52, 17)).toBe('2-7-0=5 b 5\n5-1-1=3 35\n35')
  })

  test('of a multiplication go place by place', () => {
    expect(multiplicationSteps(12, 30)).toBe('10*30=300\n2*30=60\n300+60=360')
  })

  test('of a division end in quotient and remainder', () => {
    expect(divisionSteps(100, 7)).toBe('10=1*7+3\n30=4*7+2\n14 r 2')
  })
})

test('worked steps end in the result for all numbers', () => {
  const number = fc.integer({ min: 1, max: 999_999 })
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [more, less] = a < b ? [b, a] : [a, b]
      expect(lastLine(additionSteps(a, b))).toBe(String(a + b))
      expect(lastLine(subtractionSteps(more, less))).toBe(String(more - less))
      expect(lastLine(divisionSteps(a, b))).toBe(`${Math.floor(a / b)} r ${a % b}`)
      expect(multiplicationSteps(a, b).endsWith(`=${a * b}`)).toBe(true)
    }),
  )
})

test('worked steps of the suite lead to the answer', () => {
  const stepsThatEndInTheAnswer = ['arithmetic', 'word-problem', 'classification']
  for (const { family, think, answer } of coreItems({ itemsPerFamily: 200 })) {
    if (stepsThatEndInTheAnswer.includes(family)) expect(think.endsWith(answer)).toBe(true)
    if (family === 'lookup') expect(lastLine(think).startsWith(`${answer})`)).toBe(true)
    if (family === 'ordering') expect(lastLine(think)).toContain(answer.replaceAll(', ', ' '))
  }
})

function lastLine(text: string): string {
  return text.split('\n').at(-1) ?? ''
}
