import { spawnSync } from 'node:child_process'
import type { Device } from './build-plan.js'

/** A program that the build starts, the first of several names that is there. */
export interface RequiredTool {
  readonly what: string
  readonly commands: readonly string[]
  readonly fix: string
}

const cmakeWays = '`apt-get install cmake`, `brew install cmake` or `pip install cmake`'

/** What a build for this device needs. */
export function requiredTools(device: Device): readonly RequiredTool[] {
  const tools: readonly RequiredTool[] = [
    { what: 'git', commands: ['git'], fix: 'Run `apt-get install git` or `brew install git`.' },
    { what: 'cmake', commands: ['cmake'], fix: `Run ${cmakeWays}.` },
    {
      what: 'a C++ compiler',
      commands: ['c++', 'g++', 'clang++', 'cl'],
      fix: 'Run `apt-get install g++`, or `xcode-select --install` on macOS.',
    },
  ]
  if (device === 'cpu') return tools
  const cuda = 'Install the CUDA toolkit and put its `bin` folder on the PATH, or leave out --cuda.'
  return [...tools, { what: 'nvcc', commands: ['nvcc'], fix: cuda }]
}

/** One sentence with its remedy for each tool that is not there. */
export function missingTools(
  tools: readonly RequiredTool[],
  isThere: (command: string) => boolean = canStart,
): readonly string[] {
  return tools
    .filter(({ commands }) => !commands.some(isThere))
    .map(({ what, fix }) => `The build needs ${what}, which was not found. ${fix}`)
}

/** True where a program of this name can be started. */
export function canStart(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined
}
