import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openMeter } from '@energy-bench/meter'
import { expect, test } from 'vitest'
import { buildFakeNvml } from './build-fake-nvml.js'
import { buildHangingNvml } from './build-hanging-nvml.js'
import { createFixture } from './linux/fixture.js'
import { zone } from './rapl/trees.js'

test('a driver that hangs is named after 3 s, RAPL is read on, and dispose returns', async () => {
  using machine = createFixture(zone('intel-rapl:0', 'package-0', 1_000_000))
  let energyUj = 1_000_000
  // 20 W, in steps as a file that is rewritten gives them.
  const rewriting = setInterval(() => {
    energyUj += 400_000
    machine.write('class/powercap/intel-rapl:0/energy_uj', energyUj)
  }, 20)
  const meter = await openMeter({
    meter: ['nvml', 'rapl'],
    nvmlLibraryPath: buildHangingNvml({ afterMs: 1500, forMs: 8000 }),
    environment: {},
    sysRoot: machine.root,
    procRoot: machine.procRoot,
  })
  await delay(6500)
  const endS = meter.now()
  const { domains } = await meter.energyBetween(endS - 1, endS)
  clearInterval(rewriting)
  expect(domains['nvml:GPU-fake-0000:counter']).toMatchObject({
    reason: 'failed',
    detail: expect.stringMatching(/^the driver \(NVML\) has not answered for \d s$/),
  })
  expect(domains['rapl:package-0']).toMatchObject({ status: 'measured' })
  const beganMs = performance.now()
  await meter[Symbol.asyncDispose]()
  expect(performance.now() - beganMs).toBeLessThan(5000)
})

const owner = `
import { openMeter } from ${JSON.stringify(fileURLToPath(new URL('../dist/index.js', import.meta.url)))}
const meter = await openMeter({ meter: 'nvml', nvmlLibraryPath: process.argv[1], environment: {} })
process.stdout.write('open')
setInterval(() => meter.now(), 1000)
`

test('kill -9 of the owner leaves no thread and no process behind', async () => {
  const library = buildFakeNvml({ READ_MS: 3 })
  const child = spawn(process.execPath, ['--input-type=module', '-e', owner, library], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the owner did not start')
  await once(child.stdout, 'data')
  expect(readdirSync(`/proc/${pid}/task`).length).toBeGreaterThan(2)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  expect(existsSync(`/proc/${pid}`)).toBe(false)
  // Nothing else is left of its process group either.
  expect(() => process.kill(-pid, 0)).toThrow('ESRCH')
})
