import { fileURLToPath } from 'node:url'

/** How the weights of a reference model are stored, in the names of llama.cpp. */
export type Quantization = 'F16' | 'Q8_0' | 'Q4_0' | 'Q2_K'

/** One of the four files of the reference model. */
export interface ReferenceModel {
  readonly quantization: Quantization
  /** GGUF file on this machine. */
  readonly path: string
  /** Digest of the file, 64 hexadecimal digits. */
  readonly sha256: string
  readonly sizeBytes: number
}

/** The same small model in four quantizations, largest file first. */
export const referenceModels: readonly ReferenceModel[] = [
  {
    quantization: 'F16',
    path: weightsPath('reference-f16.gguf'),
    sha256: '916b6badbca791a81315d6f245f15003cea0f0071e9bc4bf25d9da5821852c63',
    sizeBytes: 13_716_256,
  },
  {
    quantization: 'Q8_0',
    path: weightsPath('reference-q8_0.gguf'),
    sha256: '381da88905bbe1e86e8e172d925b4405f69268c7efacd2638409cb34deaa930b',
    sizeBytes: 7_326_528,
  },
  {
    quantization: 'Q4_0',
    path: weightsPath('reference-q4_0.gguf'),
    sha256: 'fd37d5cbecc9ec0857b648e93a0c20b8e598e0f24e3b147b471d325fa09c08e6',
    sizeBytes: 4_053_824,
  },
  {
    quantization: 'Q2_K',
    path: weightsPath('reference-q2_k.gguf'),
    sha256: '144947fbdcc4e5bae9dd288058ec3890af788e22d132c55ee3217def2bf1beb6',
    sizeBytes: 2_818_880,
  },
]

/**
 * The file with the given quantization.
 *
 * @example
 * const { path } = findReferenceModel('Q8_0')
 */
export function findReferenceModel(quantization: Quantization): ReferenceModel {
  const found = referenceModels.find((model) => model.quantization === quantization)
  if (found !== undefined) return found
  const known = referenceModels.map((model) => model.quantization).join(', ')
  throw new RangeError(`there is no reference model in ${String(quantization)}; use ${known}`)
}

// The same from src and from dist: both lie beside weights.
function weightsPath(name: string): string {
  return fileURLToPath(new URL(`../weights/${name}`, import.meta.url))
}
