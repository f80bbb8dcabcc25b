import type { DomainEnergy, Meter } from '@energy-bench/spec'

/** What a test meter reads. */
export interface PowerMeterOptions {
  /** Power at a time, watts; taken as even over a hundredth of a second. */
  readonly powerW: (timeS: number) => number
  readonly uncertaintyJ?: number
  readonly tickS?: number
}

/** A meter of a known power, and the delay that moves its clock, so that no test waits. */
export interface PowerMeter extends Meter {
  delay(durationS: number): Promise<void>
}

/** Makes a meter that reads the power exactly. */
export function createPowerMeter({
  powerW,
  uncertaintyJ = 0,
  tickS = 0.1,
}: PowerMeterOptions): PowerMeter {
  let nowS = 0
  const energyOf = (startS: number, endS: number): DomainEnergy => {
    const steps = Math.max(1, Math.round((endS - startS) * 100))
    const stepS = (endS - startS) / steps
    const powersW = Array.from({ length: steps }, (_, step) =>
      powerW(startS + (step + 0.5) * stepS),
    )
    const energyJ = stepS * powersW.reduce((sum, power) => sum + power, 0)
    const changes = Math.floor((endS - startS) / tickS)
    const shared = { method: 'counter', detail: '', tickS, changes, coverageRatio: 1 } as const
    return { status: 'measured', energyJ, uncertaintyJ, ...shared }
  }
  return {
    specVersion: 1,
    domains: [{ id: 'a', kind: 'gpu', method: 'counter', label: 'A', deviceId: 'a' }],
    devices: [],
    selection: [],
    now: () => nowS,
    async delay(durationS) {
      nowS += durationS
    },
    energyBetween: async (startS, endS) => ({
      startS,
      endS,
      durationS: endS - startS,
      domains: { a: energyOf(startS, endS) },
    }),
    statesBetween: () => [],
    async [Symbol.asyncDispose]() {},
  }
}
