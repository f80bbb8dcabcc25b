import koffi from 'koffi'
import { compile } from '../linux/fixture.js'

/** The controls of the stand-in for Level Zero. */
export interface FakeLevelZero {
  readonly path: string
  setInit(result: number): void
  /** Of card, package, memory and a tile of the package the first `count`; without `hasExt` it does not say which is which. */
  setDomains(count: number, hasExt: boolean): void
  /** Microjoules of the first domain; the others have 1, 2 and 3 more. */
  setEnergy(energyUj: number | bigint): void
  /** Makes one counter fail, or with -1 all. */
  failEnergy(result: number, domain: number): void
  inits(): number
}

export function buildFakeLevelZero(): FakeLevelZero {
  const path = compile(new URL('fake-level-zero.c', import.meta.url))
  const library = koffi.load(path)
  const setInit = library.func('void fake_set_init(uint32_t result)')
  const setDomains = library.func('void fake_set_domains(int count, int with_ext)')
  const setEnergy = library.func('void fake_set_energy(uint64_t value)')
  const failEnergy = library.func('void fake_fail_energy(uint32_t result, int domain)')
  const inits = library.func('int fake_inits()')
  return {
    path,
    setInit: (result) => setInit(result),
    setDomains: (count, hasExt) => setDomains(count, hasExt ? 1 : 0),
    setEnergy: (energyUj) => setEnergy(energyUj),
    failEnergy: (result, domain) => failEnergy(result, domain),
    inits: () => inits(),
  }
}
