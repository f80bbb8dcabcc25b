import { openRaplSource, whyNoRapl } from '../rapl/source.js'
import type { DetectOptions, Driver } from './driver.js'
import { whyNotLinux } from './linux-only.js'
import { trySource } from './try-source.js'

/** Processors of Intel and AMD through the powercap tree of Linux. */
export const raplDriver: Driver = {
  id: 'rapl',
  name: 'RAPL',
  whyAbsent: (options) => whyNotLinux(options) ?? whyNoRapl(placesOf(options)),
  async detect(options) {
    const places = placesOf(options)
    return trySource(openRaplSource(places), { kind: 'rapl', ...places })
  },
}

function placesOf({ sysRoot, procRoot }: DetectOptions): {
  readonly root?: string
  readonly procRoot?: string
} {
  return {
    ...(sysRoot === undefined ? {} : { root: sysRoot }),
    ...(procRoot === undefined ? {} : { procRoot }),
  }
}
