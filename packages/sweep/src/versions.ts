import { createRequire } from 'node:module'
import { z } from 'zod'

// `require` and not `import`: importing JSON prints a warning on Node 20.
const require = createRequire(import.meta.url)
const manifestSchema = z.object({ version: z.string() })

function versionAt(path: string): string {
  return manifestSchema.parse(require(path)).version
}

/** Version of this package. */
export const packageVersion = versionAt('../package.json')

/** Versions of the energy-bench packages that make a report. */
export const energyBenchVersions: Readonly<Record<string, string>> = {
  meter: versionAt('@energy-bench/meter/package.json'),
  spec: versionAt('@energy-bench/spec/package.json'),
  stats: versionAt('@energy-bench/stats/package.json'),
  sweep: packageVersion,
}
