import type { Assessment, FlagCheck } from './assessment.js'

/** Clocks that run apart by less are only being adjusted, seconds. */
const TOLERANCE_S = 1

const suspended: FlagCheck = (assessment) => {
  const sleptS = sleepOf(assessment)
  if (sleptS <= TOLERANCE_S) return undefined
  return {
    name: 'suspended',
    severity: 'invalid',
    cause: `The machine slept for ${sleptS.toFixed(1)} s inside the window.`,
    fix: 'Keep it awake (caffeinate, systemd-inhibit) and measure again.',
  }
}

const clockStep: FlagCheck = ({ clocks, wallClockDriftS = 0 }) => {
  // Without more than the two clocks, only a wall clock that went back is surely a step.
  const stepS = clocks?.steppedS ?? Math.min(0, wallClockDriftS)
  if (Math.abs(stepS) <= TOLERANCE_S) return undefined
  return {
    name: 'clock-step',
    severity: 'note',
    cause: `The wall clock was set by ${stepS.toFixed(1)} s inside the window.`,
    fix: 'Energy is not affected, dates in the report may be; let the clock settle before a run.',
  }
}

function sleepOf({ clocks, wallClockDriftS = 0 }: Assessment): number {
  return clocks?.suspendedS ?? wallClockDriftS
}

/** Checks of the clocks. */
export const clockChecks = [suspended, clockStep]
