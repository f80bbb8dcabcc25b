export type Tree = Readonly<Record<string, string | number>>

/** An AMD GPU in sysfs; `sensors` are files of its hwmon folder. */
export function amdGpu(card: number, bus: string, sensors: Tree = {}): Tree {
  const device = `class/drm/card${card}/device`
  const hwmon = Object.entries(sensors).map(([name, text]) => [
    `${device}/hwmon/hwmon${card}/${name}`,
    text,
  ])
  return {
    [`${device}/uevent`]: `DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:${bus}:00.0`,
    [`${device}/power/runtime_status`]: 'active',
    ...Object.fromEntries(hwmon),
  }
}
