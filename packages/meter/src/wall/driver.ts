import type { WallConfig } from './config.js'
import { createEsphomeDriver } from './esphome.js'
import { createFritzDectDriver } from './fritz-dect.js'
import { createHomeAssistantDriver } from './home-assistant.js'
import { createHomewizardDriver } from './homewizard.js'
import { createHttpJsonDriver } from './http-json.js'
import { createKasaDriver } from './kasa.js'
import type { WallContext, WallDriver } from './reading.js'
import { createShellyDriver } from './shelly.js'
import { createShellyGen1Driver } from './shelly-gen1.js'
import { createTapoDriver } from './tapo.js'
import { createTasmotaDriver } from './tasmota.js'

type DriverMakers = {
  readonly [Kind in WallConfig['kind']]: (
    config: Extract<WallConfig, { kind: Kind }>,
    context: WallContext,
  ) => WallDriver
}

const MAKERS: DriverMakers = {
  'shelly-gen1': createShellyGen1Driver,
  shelly: createShellyDriver,
  tasmota: createTasmotaDriver,
  kasa: createKasaDriver,
  tapo: createTapoDriver,
  homewizard: createHomewizardDriver,
  'home-assistant': createHomeAssistantDriver,
  esphome: createEsphomeDriver,
  'fritz-dect': createFritzDectDriver,
  'http-json': createHttpJsonDriver,
}

/** The driver for the kind of plug in `config`. Opens nothing before its first read. */
export function createDriver(config: WallConfig, context: WallContext): WallDriver {
  // The table ties each maker to its kind; the compiler cannot follow that through the look-up.
  const make = MAKERS[config.kind] as (config: WallConfig, context: WallContext) => WallDriver
  return make(config, context)
}
