import type { Progress } from '@energy-bench/sweep'
import { joules, minutes, significant } from './format.js'

/** The text of the live line: items done, correct, watts, joules per correct answer, tokens per second, time left. */
export function liveText(label: string, progress: Progress, leftS: number | null): string {
  const { done, total, correct, powerW, energyPerCorrectJ, tokensPerS } = progress
  const parts = [
    label.replace(', thinking ', ' think '),
    `${done}/${total}`,
    `${correct} correct`,
    powerW === null ? null : `${significant(powerW)} W`,
    energyPerCorrectJ === null ? null : `${joules(energyPerCorrectJ)}/correct`,
    tokensPerS === null ? null : `${significant(tokensPerS)} tok/s`,
    leftS === null ? null : `eta ${minutes(leftS)}`,
  ]
  return parts.filter((part) => part !== null).join('  ')
}
