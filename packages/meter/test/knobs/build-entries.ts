import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Paths of the built guard and of the child that holds a value. */
export interface BuiltEntries {
  /** To be deleted in the end. */
  readonly folder: string
  readonly guard: string
  readonly child: string
}

/** Bundles what runs in processes of its own. Only koffi stays outside, since it loads a native file beside itself. */
export async function buildEntries(): Promise<BuiltEntries> {
  const folder = mkdtempSync(join(tmpdir(), 'energy-bench-knobs-built-'))
  const koffi = pathToFileURL(createRequire(import.meta.url).resolve('koffi')).href
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
    plugins: [
      {
        name: 'koffi-outside',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^koffi$/ }, () => ({ path: koffi, external: true })),
      },
    ],
  })
  return { folder, guard: join(folder, 'guard.js'), child: join(folder, 'child.js') }
}
