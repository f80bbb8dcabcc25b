import { expect, test } from 'vitest'
import { createProgressLine } from '../../src/cli/progress-line.js'

function createStream(isTTY: boolean) {
  const written: string[] = []
  return { written, isTTY, columns: 20, write: (text: string) => written.push(text) > 0 }
}

test('off a terminal there is one line per 10 %, however many updates come', () => {
  const stream = createStream(false)
  const line = createProgressLine({ stream })
  for (let done = 0; done <= 100; done += 1) line.update(done / 100, `${done} items`)
  expect(stream.written).toHaveLength(10)
  expect(stream.written[0]).toBe('10 %  10 items\n')
  expect(stream.written.at(-1)).toBe('100 %  100 items\n')
})

test('on a terminal the line is drawn at most twice a second and never wraps', () => {
  const stream = createStream(true)
  let nowMs = 0
  const line = createProgressLine({ stream, now: () => nowMs })
  for (; nowMs < 2000; nowMs += 10) line.update(nowMs / 2000, 'x'.repeat(50))
  expect(stream.written).toHaveLength(4)
  expect(stream.written[0]).toBe(`\r\u001b[2K${'x'.repeat(19)}`)
})

test('a line that stays first clears the live one', () => {
  const stream = createStream(true)
  const line = createProgressLine({ stream })
  line.update(0.5, 'live')
  line.say('stays')
  expect(stream.written.slice(-2)).toEqual(['\r\u001b[2K', 'stays\n'])
})
