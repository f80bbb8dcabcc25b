import type { Run } from '../run/create-run.js'
import { energyBenchVersions, packageVersion } from '../versions.js'
import { accuracyByGroup, accuracyOf, outcomeCounts } from './answers.js'
import { summarizeDevices } from './devices.js'
import {
  energyPerItem,
  energyPerOutputToken,
  energySpread,
  repetitionDetails,
  tokenSum,
} from './energy-figures.js'
import { type Facts, gatherFacts } from './facts.js'
import { honestyFlags } from './honesty.js'
import { idleOf } from './idle.js'
import { energyPerCorrect } from './per-correct.js'
import { readingsOf } from './readings.js'
import { throughputOf, totalDurationS } from './throughput.js'
import { tierOf } from './tier.js'
import type { CellReportData, HostInfo } from './types.js'

/** The figures that flags and tier are decided on. */
export type CellFigures = ReturnType<typeof figuresOf>

/** What a run does not know of itself. */
interface Circumstances extends Pick<CellReportData, 'loading'> {
  readonly host: HostInfo
  readonly createdAt: string
}

/** Turns a finished run into plain data. Pure: the same run gives the same report. */
export function assembleReport(
  run: Run,
  { host, createdAt, ...loading }: Circumstances,
): CellReportData {
  const facts = gatherFacts(run)
  const figures = figuresOf(facts)
  const honesty = honestyFlags(facts, figures)
  return {
    schemaVersion: 1,
    kind: 'cell',
    cellKey: run.plan.cellKey,
    label: run.plan.label,
    createdAt,
    accounting: 'net',
    method: facts.method,
    tier: tierOf(facts, { ...figures, honesty }),
    ...figures,
    ...loading,
    honesty,
    ...provenanceOf(run),
    host,
    packageVersion,
    energyBenchVersions,
    items: facts.records,
  }
}

function figuresOf(facts: Facts) {
  const { records } = facts
  return {
    energyNetJ: energySpread(facts, 'net'),
    energyGrossJ: energySpread(facts, 'gross'),
    energyPerCorrectJ: energyPerCorrect(facts, 'net'),
    energyPerCorrectGrossJ: energyPerCorrect(facts, 'gross'),
    energyPerOutputTokenJ: energyPerOutputToken(facts),
    energyPerItemJ: energyPerItem(facts),
    accuracy: accuracyOf(records),
    accuracyByGroup: accuracyByGroup(facts),
    outcomes: outcomeCounts(facts),
    tokens: {
      inputTokens: tokenSum(records, 'inputTokens'),
      cachedInputTokens: tokenSum(records, 'cachedInputTokens'),
      outputTokens: tokenSum(records, 'outputTokens'),
      thinkingTokens: tokenSum(records, 'thinkingTokens'),
    },
    throughput: throughputOf(facts),
    durationS: totalDurationS(facts),
    readings: readingsOf(facts),
    idle: idleOf(facts),
    devices: summarizeDevices(facts.run),
    repetitions: repetitionDetails(facts),
  }
}

function provenanceOf({
  plan,
}: Run): Pick<CellReportData, 'backend' | 'task' | 'settings' | 'meter'> {
  const { id, version, digest, provenance } = plan.task
  const { selection, domains, devices } = plan.meter
  return {
    backend: plan.model.info,
    task: { id, version, digest, provenance },
    settings: plan.settings,
    meter: { selection, domains, devices },
  }
}
