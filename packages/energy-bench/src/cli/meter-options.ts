import type { OpenMeterOptions } from '@energy-bench/meter'
import { Option } from 'commander'
import { meterChoices } from '../quick/options.js'

/** What a user may say about the meter on the command line. */
export interface MeterChoice {
  readonly meter: (typeof meterChoices)[number]
  readonly gpu?: readonly string[]
  readonly wall?: readonly string[]
  readonly wattsPerCore?: number
}

/** The flag `--meter`. */
export function meterOption(): Option {
  return new Option('--meter <meter>', 'what to read energy from')
    .choices(meterChoices)
    .default('auto')
}

/** Turns the flags into options of `openMeter`. */
export function toMeterOptions({ meter, gpu, wall, wattsPerCore }: MeterChoice): OpenMeterOptions {
  return {
    meter,
    ...(gpu === undefined ? {} : { devices: gpu }),
    ...(wall === undefined ? {} : { wall }),
    ...(wattsPerCore === undefined ? {} : { wattsPerCore }),
  }
}
