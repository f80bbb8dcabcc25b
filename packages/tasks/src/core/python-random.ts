// The generator of the items must draw the same numbers in TypeScript and in the Python training recipe.
// Sources: MT19937 by M. Matsumoto and T. Nishimura (ACM TOMACS 8(1), 1998, with the 2002 array seeding),
// and the algorithms of CPython's `random.Random` (Modules/_randommodule.c and Lib/random.py, 3.2 to 3.13).

const STATE_WORDS = 624
const SHIFT_WORDS = 397

/** The part of Python's `random.Random` that the generator uses; the same numbers for the same seed. */
export interface PythonRandom {
  /** Next number in [0, 1), with 53 random bits. */
  random(): number
  /** Next whole number in [0, limit), for a limit from 1 to 2^32 - 1. */
  randBelow(limit: number): number
  /** `count` distinct positions of `population`, in the order of drawing. */
  sample<T>(population: readonly T[], count: number): T[]
}

/** Makes the generator that `random.Random(seed)` makes in Python, for a safe whole number. */
export function createPythonRandom(seed: number): PythonRandom {
  const nextWord = createMersenneTwister(seedWords(seed))
  const random = () => {
    const high = nextWord() >>> 5
    const low = nextWord() >>> 6
    return (high * 67_108_864 + low) / 9_007_199_254_740_992
  }
  const randBelow = (limit: number) => {
    const bits = 32 - Math.clz32(limit)
    let drawn = nextWord() >>> (32 - bits)
    while (drawn >= limit) drawn = nextWord() >>> (32 - bits)
    return drawn
  }
  return { random, randBelow, sample: (population, count) => sample(population, count, randBelow) }
}

function seedWords(seed: number): readonly number[] {
  const size = Math.abs(seed) // As CPython does: a seed and its negative are the same.
  const high = Math.floor(size / 2 ** 32)
  return high === 0 ? [size >>> 0] : [size >>> 0, high]
}

function createMersenneTwister(key: readonly number[]): () => number {
  const state = seedByArray(key)
  let position = STATE_WORDS
  return () => {
    if (position === STATE_WORDS) {
      twist(state)
      position = 0
    }
    let word = at(state, position++)
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < STATE_WORDS; i++) {
    const next = at(state, (i + 1) % STATE_WORDS)
    const joined = (at(state, i) & 0x80000000) | (next & 0x7fffffff)
    const odd = joined & 1 ? 0x9908b0df : 0
    state[i] = at(state, (i + SHIFT_WORDS) % STATE_WORDS) ^ (joined >>> 1) ^ odd
  }
}

function seedByArray(key: readonly number[]): Uint32Array {
  const state = seedByWord(19_650_218)
  let i = 1
  const advance = () => {
    i++
    if (i < STATE_WORDS) return
    state[0] = at(state, STATE_WORDS - 1)
    i = 1
  }
  for (let step = 0; step < Math.max(STATE_WORDS, key.length); step++) {
    const j = step % key.length
    state[i] = (at(state, i) ^ Math.imul(mixed(state, i), 1_664_525)) + at(key, j) + j
    advance()
  }
  for (let step = 1; step < STATE_WORDS; step++) {
    state[i] = (at(state, i) ^ Math.imul(mixed(state, i), 1_566_083_941)) - i
    advance()
  }
  state[0] = 0x80000000
  return state
}

function seedByWord(word: number): Uint32Array {
  const state = new Uint32Array(STATE_WORDS)
  state[0] = word
  for (let i = 1; i < STATE_WORDS; i++) state[i] = Math.imul(mixed(state, i), 1_812_433_253) + i
  return state
}

function mixed(state: Uint32Array, i: number): number {
  const previous = at(state, i - 1)
  return previous ^ (previous >>> 30)
}

function sample<T>(
  population: readonly T[],
  count: number,
  randBelow: (limit: number) => number,
): T[] {
  // CPython picks the method by a guess of the memory; the two draw different numbers.
  const setSize = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0)
  return population.length <= setSize
    ? sampleFromPool([...population], count, randBelow)
    : sampleByPosition(population, count, randBelow)
}

function sampleFromPool<T>(pool: T[], count: number, randBelow: (limit: number) => number): T[] {
  return Array.from({ length: count }, (_, drawn) => {
    const last = pool.length - drawn - 1
    const position = randBelow(last + 1)
    const picked = at(pool, position)
    pool[position] = at(pool, last)
    return picked
  })
}

function sampleByPosition<T>(
  population: readonly T[],
  count: number,
  randBelow: (limit: number) => number,
): T[] {
  const taken = new Set<number>()
  while (taken.size < count) taken.add(randBelow(population.length))
  return [...taken].map((position) => at(population, position))
}

function at<T>(values: ArrayLike<T>, position: number): T {
  return values[position] as T
}
