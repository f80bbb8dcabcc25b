import type { CfRef, CoreFoundation } from './core-foundation.js'

/** Owns CoreFoundation objects and releases them together. */
export interface CfPool extends Disposable {
  /** Takes over an object that the caller owns; passes NULL on. */
  own(ref: CfRef | undefined): CfRef | undefined
}

/** Makes an empty pool. Disposing it twice releases once. */
export function createCfPool(cf: CoreFoundation): CfPool {
  const refs: CfRef[] = []
  return {
    own(ref) {
      if (ref !== undefined) refs.push(ref)
      return ref
    },
    [Symbol.dispose]() {
      for (const ref of refs.splice(0).reverse()) cf.release(ref)
    },
  }
}
