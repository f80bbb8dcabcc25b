/** Bits of the clock event mask. The first one, GPU idle, holds nothing down and is left out. */
const names: readonly (readonly [bit: bigint, name: string])[] = [
  [0x2n, 'applications-clocks-setting'],
  [0x4n, 'sw-power-cap'],
  [0x8n, 'hw-slowdown'],
  [0x10n, 'sync-boost'],
  [0x20n, 'sw-thermal-slowdown'],
  [0x40n, 'hw-thermal-slowdown'],
  [0x80n, 'hw-power-brake-slowdown'],
  [0x100n, 'display-clock-setting'],
]

/** Names of the reasons in a clock event mask of NVML. */
export function throttleNames(mask: bigint): readonly string[] {
  return names.filter(([bit]) => (mask & bit) !== 0n).map(([, name]) => name)
}
