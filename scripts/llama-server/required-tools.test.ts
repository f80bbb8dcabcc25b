import { expect, test } from 'vitest'
import { missingTools, requiredTools } from './required-tools.js'

test('nothing is missing where everything is there', () => {
  expect(missingTools(requiredTools('cuda'), () => true)).toEqual([])
})

test('each missing tool is one sentence with its remedy', () => {
  expect(missingTools(requiredTools('cuda'), () => false)).toEqual([
    'The build needs git, which was not found. Run `apt-get install git` or `brew install git`.',
    'The build needs cmake, which was not found. Run `apt-get install cmake`, `brew install cmake` or `pip install cmake`.',
    'The build needs a C++ compiler, which was not found. Run `apt-get install g++`, or `xcode-select --install` on macOS.',
    'The build needs nvcc, which was not found. Install the CUDA toolkit and put its `bin` folder on the PATH, or leave out --cuda.',
  ])
})

test('any one of the compilers will do, and only CUDA needs nvcc', () => {
  const there = new Set(['git', 'cmake', 'clang++'])
  expect(missingTools(requiredTools('cpu'), (command) => there.has(command))).toEqual([])
})
