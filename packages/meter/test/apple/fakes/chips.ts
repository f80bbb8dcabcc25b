import type { FakeChannel } from './fake-mac.js'

/** Publication of millijoule channels as macOS 27 does it. */
const BATCH = { everyS: 2.1 }

/** An M1: no batches, no DRAM channel, a GPU in nanojoules beside its twin. */
export const M1: readonly FakeChannel[] = [
  { name: 'ECPU0', watts: 0.2 },
  { name: 'ECPU', watts: 0.5 },
  { name: 'PCPU0', watts: 3 },
  { name: 'PCPU', watts: 9 },
  { name: 'ECPM', watts: 0.1 },
  { name: 'PCPM', watts: 0.2 },
  { name: 'CPU Energy', watts: 10 },
  { name: 'GPU0', watts: 5 },
  { name: 'GPU Energy', unit: 'nJ', watts: 5 },
  { name: 'GPU SRAM', watts: 0.5 },
  { name: 'GPU SRAM0', watts: 0.5 },
  { name: 'GPU CS', watts: 0.4 },
  { name: 'ANE', watts: 1 },
  { name: 'apcie0 Energy', unit: 'uJ', watts: 0.3 },
]

/** An M2 Ultra: two dies, no `CPU Energy`, die numbers in front or behind, batches with split tails. */
export const M2_ULTRA: readonly FakeChannel[] = [
  { name: 'DIE_0_CPU Energy', watts: 30, ...BATCH },
  { name: 'DIE_1_CPU Energy', watts: 20, everyS: 2.1, phaseS: 0.02 },
  { name: 'DIE_0_EACC_CPU', watts: 2, ...BATCH },
  { name: 'DIE_0_EACC_CPU0', watts: 1, ...BATCH },
  { name: 'DIE_1_PACC1_CPU', watts: 9, ...BATCH },
  { name: 'GPU Energy', unit: 'nJ', watts: 60 },
  { name: 'GPU0_0', watts: 28.4, ...BATCH },
  { name: 'GPU CS0_0', watts: 6.1, ...BATCH },
  { name: 'GPU SRAM0_0', watts: 1.5, ...BATCH },
  { name: 'ANE0_0', watts: 1, ...BATCH },
  { name: 'ANE0_1', watts: 2, everyS: 2.1, phaseS: 0.02 },
  { name: 'DRAM0_0', watts: 7.6, ...BATCH },
  { name: 'DRAM0_1', watts: 7.4, everyS: 2.1, phaseS: 0.02 },
  { name: 'DCS0_0', watts: 5.3, ...BATCH },
  { name: 'AMCC0_0', watts: 5, ...BATCH },
  { name: 'DIE_0_DTL3', watts: 1, ...BATCH },
  { name: 'DIE_0_DTL3', watts: 1, ...BATCH },
]

/** An M5 Max: three tiers of cores, no GPU SRAM, batches. */
export const M5_MAX: readonly FakeChannel[] = [
  { name: 'CPU Energy', watts: 40, ...BATCH },
  { name: 'GPU Energy', unit: 'nJ', watts: 0 },
  { name: 'ANE', watts: 0.5, ...BATCH },
  { name: 'DRAM', watts: 6, ...BATCH },
  { name: 'MCPU0_0', watts: 3, ...BATCH },
  { name: 'MCPU0', watts: 9, ...BATCH },
  { name: 'MCPM0', watts: 1, ...BATCH },
  { name: 'PACC_0', watts: 4, ...BATCH },
  { name: 'PCPU', watts: 20, ...BATCH },
  { name: 'PCPM', watts: 1, ...BATCH },
]

/** 330 channels that count for nothing, whose names contain those that do. */
export const DECOYS: readonly FakeChannel[] = Array.from({ length: 330 }, (_, index) => ({
  name: [
    `EACC_CPU${index}`,
    `PACC${index}_CPU Energy SRAM`,
    `MCPU Energy${index}`,
    `xCPU Energy`,
    `GPU SRAM${index}`,
    `GPU Energy ${index}`,
    `DRAM_DTL${index}`,
    `SOC_DRAM${index}`,
    `ANE_SRAM${index}`,
    `PCIe Port ${index} Energy`,
  ][index % 10] as string,
  watts: 5,
}))

/** The same chip with other publications or units. */
export function changed(
  chip: readonly FakeChannel[],
  name: string,
  change: Partial<FakeChannel>,
): readonly FakeChannel[] {
  return chip.map((channel) => (channel.name === name ? { ...channel, ...change } : channel))
}
