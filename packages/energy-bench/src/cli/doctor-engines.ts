import { type DetectedEngine, detectEngines } from '@energy-bench/backends/detect'

/** What a user may say to `doctor` about engines. */
export interface EngineFlags {
  readonly enginePort?: readonly number[]
  readonly verbose?: boolean
}

/** The engines that answer here. */
export function findEngines({
  enginePort,
  verbose = false,
}: EngineFlags): Promise<readonly DetectedEngine[]> {
  return detectEngines({ verbose, ...(enginePort === undefined ? {} : { ports: enginePort }) })
}
