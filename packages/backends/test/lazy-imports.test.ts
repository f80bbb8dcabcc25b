import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { importNative } from '../src/llama-cpp/import-native.js'

const source = fileURLToPath(new URL('../src', import.meta.url))

test('no file imports an engine when it is loaded', async () => {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const files = await Promise.all(names.map((name) => readFile(`${source}/${name}`, 'utf8')))
  const eager = files.filter((text) =>
    /^import (?!type)[^\n]*'(openai|ollama|node-llama-cpp)'/m.test(text),
  )
  expect(names.length).toBeGreaterThan(20)
  expect(eager).toEqual([])
})

test('a missing node-llama-cpp is told with the command that installs it', async () => {
  const missing = () => Promise.reject(new Error("Cannot find package 'node-llama-cpp'"))
  await expect(importNative(missing)).rejects.toMatchObject({
    code: 'backend-unavailable',
    fix: 'Run: npm install node-llama-cpp@3.21.1',
  })
})
