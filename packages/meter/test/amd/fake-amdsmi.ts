import koffi from 'koffi'
import { compile } from '../linux/fixture.js'

/** The controls of the stand-in for AMD SMI. */
export interface FakeAmdSmi {
  readonly path: string
  readonly powerBytes: number
  setInit(status: number): void
  /** Steps of 15.3 microjoules of the first GPU. */
  setEnergy(steps: number, status?: number): void
  /** Watts. */
  setPower(current: number, average: number): void
  /** How often it is initialised now. */
  inits(): number
}

export function buildFakeAmdSmi(abi: number, flags: readonly string[] = []): FakeAmdSmi {
  const path = compile(new URL('fake-amdsmi.c', import.meta.url), [`-DABI=${abi}`, ...flags])
  const library = koffi.load(path)
  const setInit = library.func('void fake_set_init(int status)')
  const setEnergy = library.func('void fake_set_energy(uint64_t value, int status)')
  const setPower = library.func('void fake_set_power(uint32_t now, uint32_t mean)')
  const inits = library.func('int fake_inits()')
  return {
    path,
    powerBytes: library.func('int fake_power_bytes()')(),
    setInit: (status) => setInit(status),
    setEnergy: (steps, status = 0) => setEnergy(steps, status),
    setPower: (current, average) => setPower(current, average),
    inits: () => inits(),
  }
}
