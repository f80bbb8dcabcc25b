export type Tree = Readonly<Record<string, string | number>>

/** An Intel GPU in sysfs with one hwmon folder. */
export function intelGpu(driver: 'i915' | 'xe', bus: string, sensors: Tree = {}): Tree {
  const card = Number.parseInt(bus, 16)
  const device = `class/drm/card${card}/device`
  const hwmon: Tree = Object.keys(sensors).length === 0 ? {} : { name: driver, ...sensors }
  return {
    [`${device}/uevent`]: `DRIVER=${driver}\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:${bus}:00.0`,
    [`${device}/power/runtime_status`]: 'active',
    ...Object.fromEntries(
      Object.entries(hwmon).map(([name, text]) => [`${device}/hwmon/hwmon1/${name}`, text]),
    ),
  }
}

/** The sensors that xe shows of a card. */
export const XE_SENSORS: Tree = {
  energy1_input: 710_000_000_000,
  energy1_label: 'card',
  energy2_input: 500_000_000_000,
  energy2_label: 'pkg',
  power1_max: 190_000_000,
  power1_rated_max: 180_000_000,
  temp2_input: 48_000,
  temp2_label: 'pkg',
}
