import { koffi } from '../koffi.js'

/** Ends this process at once with an exit code, whatever its other threads do. */
export type EndProcess = (code: number) => void

/** `GetCurrentProcess` gives this number. */
const OWN_PROCESS = -1

/**
 * The system call that ends this process without waiting for any thread (`_exit` of POSIX, `TerminateProcess` of
 * Windows); `undefined` where koffi has no binary. Take it before a thread starts: one that is stuck while it loads a
 * library keeps all others from loading one.
 */
export function takeEndProcess(
  platform: NodeJS.Platform = process.platform,
): EndProcess | undefined {
  try {
    return platform === 'win32'
      ? terminateProcess()
      : koffi().load(null).func('_exit', 'void', ['int'])
  } catch {
    return undefined
  }
}

function terminateProcess(): EndProcess {
  const terminate = koffi()
    .load('kernel32.dll')
    .func('TerminateProcess', 'int', ['intptr_t', 'uint'])
  return (code) => terminate(OWN_PROCESS, code)
}
