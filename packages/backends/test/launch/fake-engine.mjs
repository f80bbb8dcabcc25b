// A server that behaves as its argument says, for the tests of launching.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import process from 'node:process'

const plan = JSON.parse(process.argv[2] ?? '{}')
if (plan.ignoresTerm) process.on('SIGTERM', () => process.stderr.write('ignored\n'))
for (let line = 0; line < (plan.floods ?? 0); line += 1) process.stdout.write(`line ${line}\n`)
if (plan.child) {
  const idle = `${plan.ignoresTerm ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', idle], { stdio: 'ignore' })
  process.stdout.write(`child ${child.pid}\n`)
}
if (plan.dies !== undefined) {
  process.stderr.write('\u001b[31mcannot allocate\u001b[0m\nfar too big\n')
  process.exitCode = plan.dies
} else {
  let looks = 0
  const server = createServer((request, response) => {
    if (request.url === '/quit') process.exit(7)
    looks += 1
    const isReady = looks > (plan.looksUntilReady ?? 0)
    response.writeHead(isReady ? 200 : 503).end(`${process.env.FAKE_WORD}`)
  })
  server.listen(plan.port, '127.0.0.1')
}
