import type { HttpJsonConfig, JsonPlace } from './config.js'
import { createHttp } from './http.js'
import { requestJson } from './http-json-reply.js'
import { numberAt, stepShown } from './json-field.js'
import type { WallContext, WallDriver, WallReading } from './reading.js'
import { type EnergyUnit, JOULES_IN, WATTS_IN } from './units.js'

const HINTS = {
  denied: 'Check the headers in the config.',
  missing: 'Check the url in the config.',
}

/** Reads any web address that answers JSON. The user vouches that a GET of it changes nothing. */
export function createHttpJsonDriver(config: HttpJsonConfig, context: WallContext): WallDriver {
  const url = new URL(config.url)
  const http = createHttp(context, url.origin)
  const request = { path: `${url.pathname}${url.search}`, headers: config.headers ?? {} }
  const { power, energy } = config
  return async () => {
    const { value, timeS } = await requestJson(http, request, HINTS)
    return {
      timeS,
      ...(power === undefined ? {} : { powerW: numberIn(value, power) * WATTS_IN[power.unit] }),
      ...(energy === undefined ? {} : energyReading(numberIn(value, energy), energy.unit)),
    }
  }
}

function energyReading(number: number, unit: EnergyUnit): WallReading {
  return { energyJ: number * JOULES_IN[unit], energyStepJ: stepShown(number) * JOULES_IN[unit] }
}

function numberIn(value: unknown, place: JsonPlace<string>): number {
  return numberAt(value, pointerPath(place.pointer), 'device with these pointers')
}

/** Steps of an RFC 6901 pointer: `/a~1b/0` is `a/b`, then `0`. */
function pointerPath(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
