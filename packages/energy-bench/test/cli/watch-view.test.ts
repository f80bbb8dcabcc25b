import { type EnergyDomain, unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { createWatchView } from '../../src/cli/watch-view.js'

const gpu: EnergyDomain = { id: 'g', kind: 'gpu', method: 'counter', label: 'GPU', deviceId: 'g' }
const cpu: EnergyDomain = { id: 'c', kind: 'cpu', method: 'model', label: 'CPU', deviceId: 'c' }

test('each domain has its power and its course', () => {
  const view = createWatchView([gpu])
  for (const power of [50, 100]) view.add({ durationS: 1, powerW: { g: power } })
  expect(view.rows(40)).toEqual(['GPU      100 W  ▅█'])
})

test('two cards of one model are told apart by their number', () => {
  const view = createWatchView([gpu, { ...gpu, id: 'h', deviceId: 'h' }])
  view.add({ durationS: 1, powerW: { g: 50, h: 100 } })
  expect(view.rows(40)).toEqual(['1: GPU     50.0 W  █', '2: GPU      100 W  █'])
})

test('what cannot be read says why, in the width of the screen', () => {
  const view = createWatchView([gpu])
  view.add({ durationS: 1, powerW: { g: unavailable('device-lost', 'the GPU is lost') } })
  expect(view.rows(24)).toEqual(['GPU  device-lost: the GP'])
})

test('the totals are energy and mean power, and an estimate is called one', () => {
  const view = createWatchView([gpu, cpu])
  view.add({ durationS: 2, powerW: { g: 50, c: 10 } })
  view.add({ durationS: 2, powerW: { g: 150, c: 10 } })
  expect(view.totals()).toEqual([
    'GPU  400 J in 4.00 s, 100 W on average',
    'CPU  40.0 J in 4.00 s, 10.0 W on average (an estimate)',
  ])
})
