import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRails, RAIL_NAMES } from '../../src/apple/channels.js'

const RIGHT = ['CPU Energy', 'GPU Energy', 'ANE0_1', 'DRAM']
const WRONG = [
  ...[
    'ECPU',
    'ECPU0',
    'PCPU',
    'PCPM',
    'MCPU0_0',
    'EACC_CPU0',
    'PACC0_CPU',
    'DIE_0_EACC_CPU',
    'MCPU Energy',
  ],
  ...['GPU SRAM', 'GPU SRAM0_0', 'GPU CS0_0', 'GPU Energy 1', 'gpu energy', 'GPU0_0_0', 'GPU'],
  ...[
    'ANE_SRAM',
    'ANE0_DTL',
    'ANEX',
    'DRAM_DTL0',
    'SOC_DRAM',
    'DRAM0_0_SRAM',
    'DCS0',
    'AMCC0',
    'ISP0',
  ],
  ...[
    'PCIe Port 0 Energy',
    'apcie0 Energy',
    'DIE_x_CPU Energy',
    'DIE_0_CPU Energy2',
    'CPU Energy ',
    '',
  ],
]

test('the channels of an M1 to M5 chip fall into their rails', () => {
  expect(planRails([...WRONG, ...RIGHT])).toEqual({
    rails: { cpu: ['CPU Energy'], gpu: ['GPU Energy'], ane: ['ANE0_1'], dram: ['DRAM'] },
    otherCount: WRONG.length,
  })
})

test('the dies of an Ultra make its CPU [25]', () => {
  const names = ['DIE_0_CPU Energy', 'DIE_1_CPU Energy', 'DIE_0_PACC1_CPU0']
  expect(planRails(names).rails.cpu).toEqual(names.slice(0, 2))
})

test('a total is never added to its parts', () => {
  expect(planRails(['DIE_0_CPU Energy', 'CPU Energy']).rails.cpu).toEqual(['CPU Energy'])
  expect(planRails(['GPU0', 'GPU0_1', 'GPU Energy']).rails.gpu).toEqual(['GPU Energy'])
  expect(planRails(['GPU0_0', 'GPU0_1', 'GPU SRAM0']).rails.gpu).toEqual(['GPU0_0', 'GPU0_1'])
})

test('a name with anything before or behind belongs to no rail', () => {
  const affix = fc.stringMatching(/^[A-Z _]{1,6}$/)
  fc.assert(
    fc.property(fc.constantFrom(...RIGHT), affix, fc.boolean(), (name, text, isBefore) => {
      const plan = planRails([isBefore ? text + name : name + text])
      expect(plan.otherCount).toBe(1)
    }),
  )
})

test('every name is in at most one rail, whatever the order, and none is lost', () => {
  const names = fc.array(fc.constantFrom(...RIGHT, ...WRONG, 'GPU0', 'DIE_0_CPU Energy', 'DRAM0'))
  fc.assert(
    fc.property(names, (list) => {
      const { rails, otherCount } = planRails(list)
      const counted = RAIL_NAMES.flatMap((rail) => rails[rail])
      expect(new Set(counted).size).toBe(counted.length)
      expect(counted.length + otherCount).toBe(new Set(list).size)
      const turned = planRails([...list].reverse())
      for (const rail of RAIL_NAMES)
        expect(new Set(turned.rails[rail])).toEqual(new Set(rails[rail]))
    }),
  )
})
