import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const examples = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())

for (const { name } of examples) {
  test(`the example "${name}" runs and finds its own result right`, async () => {
    const run = promisify(execFile)('npx', ['tsx', 'main.ts'], { cwd: `${folder}${name}` })
    await expect(run).resolves.toBeDefined()
  })
}
