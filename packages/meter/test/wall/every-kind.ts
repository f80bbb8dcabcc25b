import type { WallConfig, WallKind } from '../../src/wall/index.js'
import { createFritzBox } from './fritz-box.js'
import { startKasa } from './kasa-plug.js'
import { type PlugHandler, startPlug } from './server.js'
import { createTapoPlug } from './tapo-plug.js'

/** A plug on 127.0.0.1 that speaks the protocol of its kind; each answer says one watt-hour more. */
export interface SpokenPlug extends AsyncDisposable {
  readonly config: WallConfig
  /** Requests that no meter may make. */
  refused(): readonly string[]
}

/** Power in every answer, watts. */
export const SPOKEN_W = 100

const LOGIN = { username: 'me@example.org', password: 's3cret' }

/** Starts a plug of the kind. */
export async function startKind(kind: WallKind): Promise<SpokenPlug> {
  if (kind === 'kasa') return startKasaKind()
  const plug = await startPlug(HANDLERS[kind]())
  return {
    config: configOf(kind, plug.host),
    refused: () => plug.refused,
    [Symbol.asyncDispose]: () => plug[Symbol.asyncDispose](),
  }
}

/** All kinds there are. */
export const EVERY_KIND: readonly WallKind[] = [
  'shelly-gen1',
  'shelly',
  'tasmota',
  'kasa',
  'tapo',
  'homewizard',
  'home-assistant',
  'esphome',
  'fritz-dect',
  'http-json',
]

async function startKasaKind(): Promise<SpokenPlug> {
  const wattHours = counting()
  const answer = () => ({ power_mw: 1000 * SPOKEN_W, total_wh: wattHours(), err_code: 0 })
  const plug = await startKasa((socket, request) => {
    socket.end(frame(JSON.stringify({ emeter: { get_realtime: answer() } })))
    if (request !== '{"emeter":{"get_realtime":{}}}') throw new Error(request)
  })
  return {
    config: { kind: 'kasa', host: plug.host, name: 'plug' },
    refused: () => [],
    [Symbol.asyncDispose]: () => plug[Symbol.asyncDispose](),
  }
}

function frame(text: string): Buffer {
  let key = 171
  const cipher = Buffer.from(text).map((byte) => {
    key ^= byte
    return key
  })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(cipher.length)
  return Buffer.concat([length, cipher])
}

function counting(): () => number {
  let wattHours = 1000
  return () => {
    wattHours += 1
    return wattHours
  }
}

/** Answers JSON that is made anew for each request to one of these paths. */
function json(answers: Readonly<Record<string, () => unknown>>): PlugHandler {
  return ({ method, path }) => {
    const answer = method === 'GET' ? answers[path] : undefined
    return answer === undefined ? undefined : { body: JSON.stringify(answer()) }
  }
}

const HANDLERS: Readonly<Record<Exclude<WallKind, 'kasa'>, () => PlugHandler>> = {
  'shelly-gen1': () => {
    const wh = counting()
    return json({ '/status': () => ({ meters: [{ power: SPOKEN_W, total: 60 * wh() }] }) })
  },
  shelly: () => {
    const wh = counting()
    const status = () => ({ 'switch:0': { apower: SPOKEN_W, aenergy: { total: wh() } } })
    return json({ '/rpc/Shelly.GetStatus': status })
  },
  tasmota: () => {
    const wh = counting()
    const status = () => ({ StatusSNS: { ENERGY: { Power: SPOKEN_W, Total: wh() / 1000 } } })
    return json({ '/cm?cmnd=Status%208': status })
  },
  tapo: () => {
    const usage = { error_code: 0, result: { current_power: 1000 * SPOKEN_W } }
    return createTapoPlug(LOGIN, { get_energy_usage: usage }).handler
  },
  homewizard: () => {
    const wh = counting()
    const data = () => ({ active_power_w: SPOKEN_W, total_power_import_kwh: wh() / 1000 })
    return json({ '/api/v1/data': data })
  },
  'home-assistant': () => {
    const wh = counting()
    const state = (text: number, unit: string) => ({
      state: String(text),
      attributes: { unit_of_measurement: unit },
    })
    return json({
      '/api/states/sensor.p': () => state(SPOKEN_W, 'W'),
      '/api/states/sensor.e': () => state(wh(), 'Wh'),
    })
  },
  esphome: () => {
    const wh = counting()
    return json({
      '/sensor/p': () => ({ state: `${SPOKEN_W} W`, value: SPOKEN_W }),
      '/sensor/e': () => ({ state: `${wh()} Wh` }),
    })
  },
  'fritz-dect': () => {
    const wh = counting()
    const answers = {
      getswitchpower: { body: `${1000 * SPOKEN_W}\n` },
      get getswitchenergy() {
        return { body: `${wh()}\n` }
      },
    }
    const box = { challenge: 'md5', user: 'u', password: LOGIN.password, ain: '11630' } as const
    return createFritzBox({ ...box, answers }).handler
  },
  'http-json': () => {
    const wh = counting()
    return json({ '/x': () => ({ p: SPOKEN_W, e: wh() }) })
  },
}

function configOf(kind: Exclude<WallKind, 'kasa'>, host: string): WallConfig {
  const common = { host, name: 'plug' }
  if (kind === 'tapo') return { kind, ...common, ...LOGIN }
  if (kind === 'home-assistant') {
    return { kind, ...common, token: 'tok', powerEntity: 'sensor.p', energyEntity: 'sensor.e' }
  }
  if (kind === 'esphome') return { kind, ...common, powerSensor: 'p', energySensor: 'e' }
  if (kind === 'fritz-dect') {
    return { kind, ...common, ain: '11630', password: LOGIN.password }
  }
  if (kind === 'http-json') {
    const power = { pointer: '/p', unit: 'W' } as const
    const energy = { pointer: '/e', unit: 'Wh' } as const
    return { kind, name: 'plug', url: `http://${host}/x`, power, energy }
  }
  return { kind, ...common }
}
