import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decryptKasa, encryptKasa, frameKasa, unframeKasa } from '../../src/wall/kasa-cipher.js'
import { startKasa } from './kasa-plug.js'
import { sampleOnce } from './sampling.js'

const REQUEST = '{"emeter":{"get_realtime":{}}}'

const realtime = (values: object) => JSON.stringify({ emeter: { get_realtime: values } })
const NEW = realtime({ power_mw: 45123, voltage_mv: 230100, total_wh: 321, err_code: 0 })

test('newer hardware gives milliwatts and watt-hours', async () => {
  await using plug = await startKasa((socket) => socket.write(frameKasa(NEW)))
  const sample = await sampleOnce({ kind: 'kasa', host: plug.host })
  expect(sample.powerW).toBeCloseTo(45.123, 9)
  expect(sample.energyJ).toBe(321 * 3600)
  expect(plug.asked).toEqual([REQUEST])
})

test('the first HS110 gives watts and kilowatt-hours', async () => {
  const old = realtime({ power: 45.5, voltage: 230, current: 0.2, total: 0.321, err_code: 0 })
  await using plug = await startKasa((socket) => socket.write(frameKasa(old)))
  const sample = await sampleOnce({ kind: 'kasa', host: plug.host })
  expect(sample).toEqual({ powerW: 45.5, energyJ: 0.321 * 3_600_000 })
})

test('an answer in single bytes is put together', async () => {
  await using plug = await startKasa(async (socket) => {
    socket.setNoDelay(true)
    for (const byte of frameKasa(NEW)) {
      socket.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  expect((await sampleOnce({ kind: 'kasa', host: plug.host })).energyJ).toBe(321 * 3600)
})

test('a socket of a strip is asked for by its id', async () => {
  await using plug = await startKasa((socket) => socket.write(frameKasa(NEW)))
  await sampleOnce({ kind: 'kasa', host: plug.host, childId: '8006AB00' })
  expect(plug.asked).toEqual([
    '{"context":{"child_ids":["8006AB00"]},"emeter":{"get_realtime":{}}}',
  ])
})

test.each([
  ['the module', '{"emeter":{"err_code":-1,"err_msg":"module not support"}}'],
  ['the method', realtime({ err_code: -2 })],
])('a plug that refuses %s has no meter', async (_what, answer) => {
  await using plug = await startKasa((socket) => socket.write(frameKasa(answer)))
  const { powerW } = await sampleOnce({ kind: 'kasa', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'not-supported',
    detail: expect.stringContaining('err_code'),
  })
})

test('a server of another protocol is refused', async () => {
  await using plug = await startKasa((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const { powerW } = await sampleOnce({ kind: 'kasa', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    fix: expect.stringContaining("'tapo'"),
  })
})

test('a connection that closes before the answer is refused', async () => {
  await using plug = await startKasa((socket) => socket.end(frameKasa(NEW).subarray(0, 9)))
  const { powerW } = await sampleOnce({ kind: 'kasa', host: plug.host })
  expect(powerW).toMatchObject({ detail: expect.stringContaining('closed after 9 bytes') })
})

test('a plug that never answers runs into the limit', async () => {
  await using plug = await startKasa(() => {})
  const { powerW } = await sampleOnce({ kind: 'kasa', host: plug.host, timeoutS: 0.05 })
  expect(powerW).toMatchObject({ detail: expect.stringContaining('within 0.05 s (timeout)') })
})

test('the cipher starts with 171 and then with the byte before', () => {
  expect([...encryptKasa('{"')]).toEqual([171 ^ 0x7b, 171 ^ 0x7b ^ 0x22])
})

test('every text comes back from the cipher, and only from a complete frame', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, cut) => {
      const frame = frameKasa(text)
      expect(decryptKasa(encryptKasa(text))).toBe(text)
      expect(unframeKasa(frame, 65_536)).toBe(text)
      expect(unframeKasa(frame.subarray(0, cut % frame.length), 65_536)).toBeUndefined()
    }),
  )
})
