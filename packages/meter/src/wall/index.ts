export type {
  EsphomeConfig,
  FritzDectConfig,
  HomeAssistantConfig,
  HomewizardConfig,
  HttpJsonConfig,
  JsonPlace,
  KasaConfig,
  ShellyConfig,
  ShellyGen1Config,
  TapoConfig,
  TasmotaConfig,
  WallConfig,
  WallKind,
} from './config.js'
export { parseWallConfig } from './parse-config.js'
export { parseWallUrl } from './parse-url.js'
export { MAX_WALL_POWER_W } from './plausible.js'
export { probeWall, type WallProbe } from './probe.js'
export { createWallSource, type WallOptions } from './source.js'
export type { EnergyUnit, PowerUnit } from './units.js'
