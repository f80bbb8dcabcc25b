import type { HomewizardConfig } from './config.js'
import { createHttp } from './http.js'
import { requestJson } from './http-json-reply.js'
import { asNumber, fieldAt, numberAt } from './json-field.js'
import type { WallContext, WallDriver } from './reading.js'
import { JOULES_IN } from './units.js'

const HINTS = {
  denied: 'Turn on the local API of the socket in the HomeWizard app.',
  missing: 'Check that the host is a HomeWizard Energy Socket.',
}

/** Reads `GET /api/v1/data`. The socket has no version 2 of the API; that is for meters and batteries. */
export function createHomewizardDriver(config: HomewizardConfig, context: WallContext): WallDriver {
  const http = createHttp(context, `http://${config.host}`)
  return async () => {
    const { value, timeS } = await requestJson(http, { path: '/api/v1/data' }, HINTS)
    const powerW = numberAt(value, ['active_power_w'], 'HomeWizard Energy Socket')
    // Old firmware has only the name with the tariff in it.
    const kilowattHours =
      asNumber(fieldAt(value, 'total_power_import_kwh')) ??
      asNumber(fieldAt(value, 'total_power_import_t1_kwh'))
    if (kilowattHours === undefined) return { powerW, timeS }
    return { powerW, energyJ: kilowattHours * JOULES_IN.kWh, timeS }
  }
}
