import { cpuDriver } from './cpu-driver.js'
import type { Driver } from './driver.js'
import { nvmlDriver } from './nvml-driver.js'

/** All drivers, the most trustworthy first: `auto` takes the first that works. A new driver is added here. */
export const drivers: readonly Driver[] = [nvmlDriver, cpuDriver]
