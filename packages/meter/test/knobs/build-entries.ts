import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Paths of the built guard and of the child that holds a value. */
export interface BuiltEntries {
  /** To be deleted in the end. */
  readonly folder: string
  readonly guard: string
  readonly child: string
}

/** Bundles what runs in processes of its own. Only koffi stays outside. */
export async function buildEntries(): Promise<BuiltEntries> {
  const folder = mkdtempSync(join(tmpdir(), 'energy-bench-knobs-built-'))
  linkKoffi(folder)
  await build({
    entryPoints: {
      guard: fileURLToPath(new URL('../../src/knobs/guard.ts', import.meta.url)),
      child: fileURLToPath(new URL('./hold-child.ts', import.meta.url)),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['koffi'],
  })
  return { folder, guard: join(folder, 'guard.js'), child: join(folder, 'child.js') }
}

/** koffi loads a native file beside itself, so that it must be found where it is installed. */
function linkKoffi(folder: string): void {
  const installed = dirname(createRequire(import.meta.url).resolve('koffi'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(installed, join(folder, 'node_modules', 'koffi'))
}
