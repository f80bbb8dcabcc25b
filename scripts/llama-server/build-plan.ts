import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** What the binary computes on. */
export type Device = 'cpu' | 'cuda'

/** Which llama-server: the release of llama.cpp and the device. */
export interface BuildTarget {
  readonly release: string
  readonly device: Device
}

/** One program in place of a folder of libraries, no download, no TLS, no pages, nothing tuned to one processor. */
const commonOptions = [
  '-DCMAKE_BUILD_TYPE=Release',
  '-DBUILD_SHARED_LIBS=OFF',
  '-DGGML_NATIVE=OFF',
  '-DGGML_CCACHE=OFF',
  '-DLLAMA_OPENSSL=OFF',
  '-DLLAMA_BUILD_UI=OFF',
  '-DLLAMA_USE_PREBUILT_UI=OFF',
  '-DLLAMA_BUILD_APP=OFF',
  '-DLLAMA_BUILD_EXAMPLES=OFF',
  '-DLLAMA_BUILD_TESTS=OFF',
]

/** Kernels for the card of this machine alone: for all of them the build takes about ten times as long. */
const cudaOptions = ['-DGGML_CUDA=ON', '-DGGML_CUDA_NCCL=OFF', '-DCMAKE_CUDA_ARCHITECTURES=native']

/** Options of the build that change the binary. */
export function buildOptions(device: Device): readonly string[] {
  return device === 'cuda' ? [...commonOptions, ...cudaOptions] : commonOptions
}

/** Folder of one binary, named after all that decides what it is. */
export function cacheFolder(root: string, { release, device }: BuildTarget): string {
  const digest = createHash('sha256').update(buildOptions(device).join('\n')).digest('hex')
  return join(root, '.cache', 'llama-server', `${release}-${digest.slice(0, 12)}-${device}`)
}

/** Path of the binary, whether it is built or not. */
export function binaryPath(root: string, target: BuildTarget): string {
  const name = process.platform === 'win32' ? 'llama-server.exe' : 'llama-server'
  return join(cacheFolder(root, target), 'bin', name)
}

/** Arguments of the call of cmake that prepares the build. */
export function configureArguments(
  folders: { readonly source: string; readonly build: string },
  device: Device,
  generator?: string,
): readonly string[] {
  const generated = generator === undefined ? [] : ['-G', generator]
  return ['-S', folders.source, '-B', folders.build, ...generated, ...buildOptions(device)]
}

/** Arguments of the call of cmake that builds the one program. */
export function compileArguments(build: string, jobs: number): readonly string[] {
  const target = ['--target', 'llama-server', '--config', 'Release']
  return ['--build', build, ...target, '--parallel', String(jobs)]
}
