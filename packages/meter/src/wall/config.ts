import type { EnergyUnit, PowerUnit } from './units.js'

interface WallCommon {
  /** Name in domain ids, default made from kind and host. */
  readonly name?: string
  /** Longest wait for one request, seconds; default 3. */
  readonly timeoutS?: number
}

interface WallHost extends WallCommon {
  /** Host name or address of the plug, with `:port` where it is not the usual one. */
  readonly host: string
}

/** First generation Shelly: Plug, Plug S, 1PM, EM. */
export interface ShellyGen1Config extends WallHost {
  readonly kind: 'shelly-gen1'
  readonly username?: string
  readonly password?: string
  /** Socket of a device with several, from 0. */
  readonly channel?: number
}

/** Shelly of the Plus, Pro, Gen3 and Gen4 lines. The user name is always `admin`. */
export interface ShellyConfig extends WallHost {
  readonly kind: 'shelly'
  readonly password?: string
  readonly channel?: number
}

/** Any plug that runs the Tasmota firmware. */
export interface TasmotaConfig extends WallHost {
  readonly kind: 'tasmota'
  readonly username?: string
  readonly password?: string
  readonly channel?: number
  /** What `EnergyRes` of the plug is set to: decimals of its kWh counter, default 3. */
  readonly energyDecimals?: number
}

/** TP-Link Kasa plug of the local protocol on port 9999. */
export interface KasaConfig extends WallHost {
  readonly kind: 'kasa'
  /** Id of the socket on a strip. */
  readonly childId?: string
}

/** TP-Link Tapo plug. User name and password are those of the TP-Link account. */
export interface TapoConfig extends WallHost {
  readonly kind: 'tapo'
  readonly username: string
  readonly password: string
}

export interface HomewizardConfig extends WallHost {
  readonly kind: 'homewizard'
}

/** Sensors of a Home Assistant; at least one of the two entities. */
export interface HomeAssistantConfig extends WallHost {
  readonly kind: 'home-assistant'
  /** Long-lived access token. */
  readonly token: string
  readonly powerEntity?: string
  readonly energyEntity?: string
  /** True for https. */
  readonly isSecure?: boolean
}

/** Sensors of an ESPHome web server; at least one of the two. */
export interface EsphomeConfig extends WallHost {
  readonly kind: 'esphome'
  readonly powerSensor?: string
  readonly energySensor?: string
  readonly username?: string
  readonly password?: string
}

/** FRITZ!DECT plug behind a FRITZ!Box; `host` is the box. */
export interface FritzDectConfig extends WallHost {
  readonly kind: 'fritz-dect'
  /** Number of the plug, as printed on it. */
  readonly ain: string
  readonly username?: string
  readonly password: string
}

/** Where a number stands in a JSON answer (RFC 6901 pointer), and its unit. */
export interface JsonPlace<Unit> {
  readonly pointer: string
  readonly unit: Unit
}

/** Any web address that answers JSON; at least one of `power` and `energy`. */
export interface HttpJsonConfig extends WallCommon {
  readonly kind: 'http-json'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly power?: JsonPlace<PowerUnit>
  readonly energy?: JsonPlace<EnergyUnit>
}

/** How to reach one wall plug. Plain data; it can hold a password, so it is not for logs or records. */
export type WallConfig =
  | ShellyGen1Config
  | ShellyConfig
  | TasmotaConfig
  | KasaConfig
  | TapoConfig
  | HomewizardConfig
  | HomeAssistantConfig
  | EsphomeConfig
  | FritzDectConfig
  | HttpJsonConfig

export type WallKind = WallConfig['kind']

/** Host with port, without user, password, path and query. */
function hostOf(config: WallConfig): string {
  return config.kind === 'http-json' ? new URL(config.url).host : config.host
}

/** Name of the plug in domain ids; never holds a secret. */
export function nameOf(config: WallConfig): string {
  return config.name ?? `${config.kind}-${hostOf(config).replace(/[^A-Za-z0-9.-]+/g, '-')}`
}
