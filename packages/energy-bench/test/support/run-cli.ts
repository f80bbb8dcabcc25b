import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCli {
  readonly child: ChildProcess
  readonly result: Promise<CliResult>
  /** Resolves when stderr or stdout has shown the text. */
  shown(text: string): Promise<void>
}

/** Starts the built command line in a folder. */
export function startCli(words: readonly string[], cwd: string): RunningCli {
  const child = spawn(process.execPath, [cli, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const seen = { stdout: '', stderr: '' }
  const watchers: (() => void)[] = []
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text
      for (const watch of watchers) watch()
    })
  }
  return {
    child,
    result: new Promise((resolve) => child.on('close', (code) => resolve({ code, ...seen }))),
    shown: (text) =>
      new Promise((resolve) => {
        const watch = () => (seen.stdout + seen.stderr).includes(text) && resolve()
        watchers.push(watch)
        watch()
      }),
  }
}

/** Runs the built command line to its end. */
export function runCli(words: readonly string[], cwd: string): Promise<CliResult> {
  return startCli(words, cwd).result
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'energy-bench-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
