/** Bus address in the form of the kernel, for example `0000:65:00.0`; `undefined` for what is not one. NVML writes 8 digits of domain. */
export function normalBusId(text: string): string | undefined {
  const match = /^(?:0*([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/i.exec(text.trim())
  if (match === null) return undefined
  const [, domain = '0000', bus, device, part] = match
  return `${domain}:${bus}:${device}.${part}`.toLowerCase()
}
