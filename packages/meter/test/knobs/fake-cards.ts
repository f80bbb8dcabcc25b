import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./fake-nvml-knobs.c', import.meta.url))

/** State of one fake GPU, in the native units. */
export interface Card {
  readonly limitMw: number
  readonly lockMinMhz: number
  readonly lockMaxMhz: number
  readonly sets: number
  readonly resets: number
}

/** A folder with two fake GPUs, `GPU-fake-0000` and `GPU-fake-0001`, and a state folder for the locks. */
export interface FakeCards {
  readonly folder: string
  readonly stateDir: string
  card(number?: number): Card
  /** Sets the state as some other program would. */
  put(number: number, card: Partial<Card>): void
  /** From now on calls fail as given: see fake-nvml-knobs.c. */
  faults(faults: Readonly<Record<string, number>>): void
  /** Names of the files in the state folder. */
  locks(): readonly string[]
}

/** Makes new cards and points this process and its children at them. */
export function createFakeCards(): FakeCards {
  const folder = mkdtempSync(join(tmpdir(), 'energy-bench-knobs-'))
  process.env.FAKE_NVML_KNOBS = folder
  const stateDir = join(folder, 'state')
  const card = (number = 0): Card => {
    const path = join(folder, `gpu${number}`)
    const line = existsSync(path) ? readFileSync(path, 'utf8') : '700000 0 0 0 0'
    const [limitMw = 0, lockMinMhz = 0, lockMaxMhz = 0, sets = 0, resets = 0] = line
      .trim()
      .split(' ')
      .map(Number)
    return { limitMw, lockMinMhz, lockMaxMhz, sets, resets }
  }
  return {
    folder,
    stateDir,
    card,
    put(number, change) {
      const { limitMw, lockMinMhz, lockMaxMhz, sets, resets } = { ...card(number), ...change }
      const line = [limitMw, lockMinMhz, lockMaxMhz, sets, resets].join(' ')
      writeFileSync(join(folder, `gpu${number}`), `${line}\n`)
    },
    faults(faults) {
      const lines = Object.entries(faults).map(([name, number]) => `${name} ${number}\n`)
      writeFileSync(join(folder, 'draft'), lines.join(''))
      renameSync(join(folder, 'draft'), join(folder, 'faults'))
    },
    locks: () => (existsSync(stateDir) ? readdirSync(stateDir).sort() : []),
  }
}

/** Compiles the fake library once and gives its path. */
export function buildFakeKnobs(): string {
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex')
  const folder = join(tmpdir(), 'energy-bench-fake-nvml')
  const path = join(folder, `knobs-${digest.slice(0, 16)}.so`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  // Under another name first: test files run at the same time.
  const draft = `${path}.${process.pid}`
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', draft, source])
  renameSync(draft, path)
  return path
}
