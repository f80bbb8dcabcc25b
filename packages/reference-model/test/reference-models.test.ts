import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findReferenceModel, type Quantization, referenceModels } from '../src/index.js'
import { readGgufTexts } from './gguf-metadata.js'

describe.each(referenceModels)('the $quantization file', ({ path, sha256, sizeBytes }) => {
  const file = readFileSync(path)

  test('has the digest and the size that the list gives', () => {
    expect(file.length).toBe(sizeBytes)
    expect(createHash('sha256').update(file).digest('hex')).toBe(sha256)
  })

  test('is a GGUF file of version 3', () => {
    expect(file.toString('latin1', 0, 4)).toBe('GGUF')
    expect(file.readUInt32LE(4)).toBe(3)
  })

  test('says what it is in its metadata', () => {
    const texts = readGgufTexts(file)
    expect(texts.get('general.license')).toBe('apache-2.0')
    expect(texts.get('general.architecture')).toBe('llama')
    expect(texts.get('general.name')).toBe('energy-bench reference model')
    expect(texts.get('general.author')).toBe('energy-bench contributors')
    expect(texts.get('general.size_label')).toBe('6.8M')
  })
})

test('SHA256SUMS holds the same digests as the list', () => {
  const sums = readFileSync(new URL('../weights/SHA256SUMS', import.meta.url), 'utf8')
  const lines = referenceModels.map(({ path, sha256 }) => `${sha256}  ${basename(path)}`)
  expect(sums.trim().split('\n').toSorted()).toEqual(lines.toSorted())
})

test('a model is found by its quantization', () => {
  expect(findReferenceModel('Q4_0').path).toMatch(/reference-q4_0\.gguf$/)
})

test('an unknown quantization is refused with the known ones', () => {
  const unknown = 'Q3_K' as Quantization
  expect(() => findReferenceModel(unknown)).toThrow(
    'there is no reference model in Q3_K; use F16, Q8_0, Q4_0, Q2_K',
  )
})
