import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { KoffiFunc, LibraryHandle } from 'koffi'
import { koffi } from '../koffi.js'
import { type AppleLibraries, bind } from './libraries.js'
import {
  SMC_MESSAGE_BYTES,
  type SmcKeyInfo,
  smcFailure,
  smcKeyInfo,
  smcNumber,
  smcRequest,
} from './smc-message.js'

/** An open connection to the system management controller. */
export interface Smc extends Disposable {
  /** Reads the number under a key of four characters, in the unit of the key. */
  number(key: string): number | Unavailable
}

type Port = number

interface Functions {
  readonly matching: KoffiFunc<(name: string) => bigint | null>
  readonly services: KoffiFunc<(main: Port, matching: bigint, iterator: Port[]) => number>
  readonly next: KoffiFunc<(iterator: Port) => Port>
  readonly entryName: KoffiFunc<(entry: Port, into: Buffer) => number>
  readonly open: KoffiFunc<(entry: Port, task: Port, type: number, connection: Port[]) => number>
  readonly call: KoffiFunc<
    (...message: [Port, number, Buffer, number, into: Buffer, size: (number | bigint)[]]) => number
  >
  readonly close: KoffiFunc<(connection: Port) => number>
  readonly release: KoffiFunc<(object: Port) => number>
}

const ENTRY_NAME = 'AppleSMCKeysEndpoint'
const ENTRY_NAME_BYTES = 128
const SMC_SELECTOR = 2
/** kIOReturnNotPrivileged and kIOReturnNotPermitted as signed numbers. */
const REFUSALS: readonly number[] = [0xe00002c1 | 0, 0xe00002e2 | 0]

/** Opens the controller. Needs no privileges for reading. */
export function openSmc(libraries: AppleLibraries): Smc | Unavailable {
  const ioKit = bind(libraries.ioKit, declare)
  if (isUnavailable(ioKit)) return ioKit
  const task = bind(libraries.system, taskPort)
  if (isUnavailable(task)) return task
  const connection = connect(ioKit, task)
  return isUnavailable(connection) ? connection : wrap(ioKit, connection)
}

function declare(library: LibraryHandle): Functions {
  const portOut = koffi().out(koffi().pointer('uint32'))
  const size = koffi().inout(koffi().pointer('size_t'))
  return {
    matching: library.func('IOServiceMatching', 'void *', ['str']),
    services: library.func('IOServiceGetMatchingServices', 'int', ['uint32', 'void *', portOut]),
    next: library.func('IOIteratorNext', 'uint32', ['uint32']),
    entryName: library.func('IORegistryEntryGetName', 'int', ['uint32', 'void *']),
    open: library.func('IOServiceOpen', 'int', ['uint32', 'uint32', 'uint32', portOut]),
    call: library.func('IOConnectCallStructMethod', 'int', [
      ...['uint32', 'uint32', 'void *', 'size_t', 'void *', size],
    ]),
    close: library.func('IOServiceClose', 'int', ['uint32']),
    release: library.func('IOObjectRelease', 'int', ['uint32']),
  }
}

/** `mach_task_self()` is a macro for this variable. */
function taskPort(system: LibraryHandle): Port {
  return koffi().decode.uint32(system.symbol('mach_task_self_'))
}

function connect(ioKit: Functions, task: Port): Port | Unavailable {
  const entry = findEntry(ioKit)
  if (isUnavailable(entry)) return entry
  const connection: Port[] = [0]
  const code = ioKit.open(entry, task, 0, connection)
  ioKit.release(entry)
  const port = connection[0] ?? 0
  if (code === 0 && port !== 0) return port
  const reason = REFUSALS.includes(code) ? 'permission-denied' : 'failed'
  return unavailable(reason, `IOServiceOpen of ${ENTRY_NAME} answered ${code}`)
}

function findEntry(ioKit: Functions): Port | Unavailable {
  const matching = ioKit.matching('AppleSMC')
  const iterator: Port[] = [0]
  // The call takes over the dictionary, also when it fails.
  const code = matching === null ? -1 : ioKit.services(0, matching, iterator)
  const port = iterator[0] ?? 0
  if (code !== 0 || port === 0) return unavailable('no-device', `no AppleSMC service, code ${code}`)
  const entry = entryNamed(ioKit, port, ENTRY_NAME)
  ioKit.release(port)
  return entry === 0 ? unavailable('no-device', `no service is called ${ENTRY_NAME}`) : entry
}

function entryNamed(ioKit: Functions, iterator: Port, wanted: string): Port {
  for (let entry = ioKit.next(iterator); entry !== 0; entry = ioKit.next(iterator)) {
    const name = Buffer.alloc(ENTRY_NAME_BYTES)
    const isNamed = ioKit.entryName(entry, name) === 0
    if (isNamed && name.toString('utf8', 0, Math.max(0, name.indexOf(0))) === wanted) return entry
    ioKit.release(entry)
  }
  return 0
}

function wrap(ioKit: Functions, connection: Port): Smc {
  const infos = new Map<string, SmcKeyInfo>()
  let isOpen = true
  const ask = (key: string, request: Buffer) => exchange(ioKit, connection, { key, request })
  return {
    number(key) {
      const info = infos.get(key) ?? keyInfo(ask, key)
      if (isUnavailable(info)) return info
      infos.set(key, info)
      const answer = ask(key, smcRequest(key, 'read', info))
      return isUnavailable(answer) ? answer : smcNumber(answer, info)
    },
    [Symbol.dispose]() {
      if (isOpen) ioKit.close(connection)
      isOpen = false
    },
  }
}

type Ask = (key: string, request: Buffer) => Buffer | Unavailable

function keyInfo(ask: Ask, key: string): SmcKeyInfo | Unavailable {
  const answer = ask(key, smcRequest(key, 'info'))
  return isUnavailable(answer) ? answer : smcKeyInfo(answer)
}

interface Message {
  readonly key: string
  readonly request: Buffer
}

function exchange(ioKit: Functions, connection: Port, message: Message): Buffer | Unavailable {
  const answer = Buffer.alloc(SMC_MESSAGE_BYTES)
  const size: (number | bigint)[] = [SMC_MESSAGE_BYTES]
  const call = ioKit.call
  const code = call(connection, SMC_SELECTOR, message.request, SMC_MESSAGE_BYTES, answer, size)
  if (code !== 0) return unavailable('failed', `the call for ${message.key} answered ${code}`)
  return smcFailure(answer, message.key) ?? answer
}
