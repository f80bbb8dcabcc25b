import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./fake-nvml.c', import.meta.url))
const parts = fileURLToPath(new URL('./fake-nvml/', import.meta.url))

/** Compiles the fake NVML for one scenario (macros of fake-nvml.c) and gives its path. `name` keeps two copies apart. */
export function buildFakeNvml(
  scenario: Readonly<Record<string, number | string>> = {},
  name = 'fake',
): string {
  const macros = Object.entries(scenario).map(([key, value]) =>
    typeof value === 'string' ? `-D${key}="${value}"` : `-D${key}=${value}`,
  )
  const hash = createHash('sha256')
  for (const file of [source, ...readdirSync(parts).map((part) => join(parts, part))])
    hash.update(readFileSync(file))
  const digest = hash.update(macros.join()).update(name).digest('hex')
  const folder = join(tmpdir(), 'energy-bench-fake-nvml')
  const path = join(folder, `${digest.slice(0, 16)}.so`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  // Under another name first: test files run at the same time and may want the same library.
  const draft = `${path}.${process.pid}`
  execFileSync('cc', ['-shared', '-fPIC', '-O1', ...macros, '-o', draft, source])
  renameSync(draft, path)
  return path
}
