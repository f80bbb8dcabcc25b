import { test } from 'vitest'
import { findLlamaServer } from '../support/llama-server-binary.js'
import { testRealLlamaServer } from './real-llama-server.js'

const binary = findLlamaServer()

if (binary === undefined) test.skip('no llama-server is on this machine', () => {})
if (binary !== undefined) testRealLlamaServer(binary)
