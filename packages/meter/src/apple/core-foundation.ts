import type { Unavailable } from '@energy-bench/spec'
import type { KoffiFunc, LibraryHandle } from 'koffi'
import { koffi } from '../koffi.js'
import { bind, present } from './libraries.js'

/** Address of a CoreFoundation object. It carries no type and stays inside the binding files. */
export type CfRef = bigint

/** The few functions of CoreFoundation that reading IOReport takes. What may be NULL is `undefined`. */
export interface CoreFoundation {
  /** New string; the caller owns it. */
  string(text: string): CfRef | undefined
  /** Text of a string, or `undefined` when it is longer than 255 bytes or no text. */
  text(string: CfRef): string | undefined
  /** Value of a key, borrowed. */
  value(dictionary: CfRef, key: CfRef): CfRef | undefined
  /** Copy of a dictionary; the caller owns it. */
  mutableCopy(dictionary: CfRef): CfRef | undefined
  /** Items of an array, borrowed, without those that are NULL. */
  items(array: CfRef): readonly CfRef[]
  /** Little-endian 64-bit number at a byte offset of a data object. */
  u64At(data: CfRef, offset: number): bigint | undefined
  release(ref: CfRef): void
}

type Pointer = bigint | null

interface Functions {
  readonly createString: KoffiFunc<(allocator: null, text: string, encoding: number) => Pointer>
  readonly getString: KoffiFunc<
    (string: CfRef, into: Buffer, size: number, encoding: number) => number
  >
  readonly getValue: KoffiFunc<(dictionary: CfRef, key: CfRef) => Pointer>
  readonly copyDictionary: KoffiFunc<(allocator: null, size: number, from: CfRef) => Pointer>
  readonly arrayCount: KoffiFunc<(array: CfRef) => number | bigint>
  readonly arrayItem: KoffiFunc<(array: CfRef, index: number) => Pointer>
  readonly dataLength: KoffiFunc<(data: CfRef) => number | bigint>
  readonly dataBytes: KoffiFunc<(data: CfRef) => Pointer>
  readonly release: KoffiFunc<(ref: CfRef) => void>
}

const UTF8 = 0x08000100
const TEXT_BYTES = 256

/** Binds CoreFoundation at `path`. */
export function openCoreFoundation(path: string): CoreFoundation | Unavailable {
  return bind(path, (library) => wrap(declare(library)))
}

function declare(library: LibraryHandle): Functions {
  return {
    createString: library.func('CFStringCreateWithCString', 'void *', ['void *', 'str', 'uint32']),
    getString: library.func('CFStringGetCString', 'uint8', ['void *', 'void *', 'int64', 'uint32']),
    getValue: library.func('CFDictionaryGetValue', 'void *', ['void *', 'void *']),
    copyDictionary: library.func('CFDictionaryCreateMutableCopy', 'void *', [
      'void *',
      'int64',
      'void *',
    ]),
    arrayCount: library.func('CFArrayGetCount', 'int64', ['void *']),
    arrayItem: library.func('CFArrayGetValueAtIndex', 'void *', ['void *', 'int64']),
    dataLength: library.func('CFDataGetLength', 'int64', ['void *']),
    dataBytes: library.func('CFDataGetBytePtr', 'void *', ['void *']),
    release: library.func('CFRelease', 'void', ['void *']),
  }
}

function wrap(cf: Functions): CoreFoundation {
  return {
    string: (text) => present(cf.createString(null, text, UTF8)),
    text: (string) => textOf(cf, string),
    value: (dictionary, key) => present(cf.getValue(dictionary, key)),
    mutableCopy: (dictionary) => present(cf.copyDictionary(null, 0, dictionary)),
    items: (array) => itemsOf(cf, array),
    u64At: (data, offset) => u64At(cf, data, offset),
    release: (ref) => cf.release(ref),
  }
}

function textOf(cf: Functions, string: CfRef): string | undefined {
  const bytes = Buffer.alloc(TEXT_BYTES)
  if (cf.getString(string, bytes, TEXT_BYTES, UTF8) === 0) return undefined
  return bytes.toString('utf8', 0, bytes.indexOf(0))
}

function itemsOf(cf: Functions, array: CfRef): readonly CfRef[] {
  const count = Number(cf.arrayCount(array))
  const items = Array.from({ length: count }, (_, index) => present(cf.arrayItem(array, index)))
  return items.filter((item) => item !== undefined)
}

function u64At(cf: Functions, data: CfRef, offset: number): bigint | undefined {
  if (Number(cf.dataLength(data)) < offset + 8) return undefined
  const bytes = present(cf.dataBytes(data))
  return bytes === undefined ? undefined : BigInt(koffi().decode(bytes, offset, 'uint64'))
}
