import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  binaryPath,
  buildOptions,
  cacheFolder,
  compileArguments,
  configureArguments,
} from './build-plan.js'

test('the folder of a binary names its release, its build options and its device', () => {
  const cpu = cacheFolder('/repo', { release: 'v0.4.0', device: 'cpu' })
  expect(cpu).toMatch(/^\/repo\/\.cache\/llama-server\/v0\.4\.0-[0-9a-f]{12}-cpu$/)
  expect(cacheFolder('/repo', { release: 'v0.4.0', device: 'cpu' })).toBe(cpu)
  const cuda = cacheFolder('/repo', { release: 'v0.4.0', device: 'cuda' })
  expect(cuda.endsWith('-cuda')).toBe(true)
  expect(cuda.slice(0, -5)).not.toBe(cpu.slice(0, -4))
})

test('the binary lies in a folder bin of its own', () => {
  const target = { release: 'v1', device: 'cpu' } as const
  const folder = join(cacheFolder('/repo', target), 'bin')
  expect(binaryPath('/repo', target)).toMatch(/llama-server(\.exe)?$/)
  expect(binaryPath('/repo', target).startsWith(folder)).toBe(true)
})

test('cmake links statically and fetches nothing', () => {
  const args = configureArguments({ source: 'src', build: 'out' }, 'cpu', 'Ninja')
  expect(args.slice(0, 6)).toEqual(['-S', 'src', '-B', 'out', '-G', 'Ninja'])
  expect(args).toContain('-DBUILD_SHARED_LIBS=OFF')
  expect(args).toContain('-DLLAMA_USE_PREBUILT_UI=OFF')
  expect(args).not.toContain('-DGGML_CUDA=ON')
  expect(configureArguments({ source: 'src', build: 'out' }, 'cpu')).not.toContain('-G')
})

test('CUDA is added to what the CPU has', () => {
  expect(buildOptions('cuda')).toEqual(expect.arrayContaining([...buildOptions('cpu')]))
  expect(buildOptions('cuda')).toContain('-DGGML_CUDA=ON')
})

test('the one program is built, with so many compilers at once', () => {
  const wanted = '--build out --target llama-server --config Release --parallel 2'
  expect(compileArguments('out', 2).join(' ')).toBe(wanted)
})
