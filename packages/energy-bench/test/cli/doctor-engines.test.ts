import { expect, test } from 'vitest'
import { startFakeOllama } from '../support/fake-ollama.js'
import { runCli, temporaryFolder } from '../support/run-cli.js'

test('doctor shows the engines that answer, their models, and what is missing, in 80 columns', async () => {
  const full = await startFakeOllama(['qwen3:8b', 'gemma3:4b'], ['gemma3:4b'])
  const empty = await startFakeOllama([])
  const ports = [full, empty].flatMap(({ port }) => ['--engine-port', String(port)])
  const { stdout } = await runCli(['doctor', ...ports], await temporaryFolder())
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(stdout).toContain('\nEngines\n')
  expect(stdout).toContain(`ok    Ollama 0.33.0 at ${full.url}`)
  expect(stdout).toContain('      loaded: gemma3:4b\n      available: qwen3:8b\n')
  expect(stdout).toContain(`      energy-bench bench quick --url ${full.url}#gemma3:4b\n`)
  expect(stdout).toContain(`no    Ollama 0.33.0 at ${empty.url}`)
  expect(stdout).toContain('      it has no model on this machine\n      ollama pull NAME\n')
})

test('doctor --json has the engines as data', async () => {
  const { port, url } = await startFakeOllama(['qwen3:8b'])
  const words = ['doctor', '--json', '--engine-port', String(port)]
  const { stdout } = await runCli(words, await temporaryFolder())
  expect(JSON.parse(stdout).engines).toMatchObject([
    { kind: 'ollama', baseUrl: url, modelsAvailable: ['qwen3:8b'], modelsLoaded: [], missing: [] },
  ])
})

test('a port that is none is refused', async () => {
  const { code, stderr } = await runCli(
    ['doctor', '--engine-port', '70000'],
    await temporaryFolder(),
  )
  expect(code).toBe(2)
  expect(stderr).toContain('port from 1 to 65535')
})
