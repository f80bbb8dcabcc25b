import { WallFailure } from './failure.js'

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'ENODATA'])

/** Turns an error of a socket or of `fetch` into a failure, by its code alone. */
export function networkFailure(host: string, error: unknown): WallFailure {
  if (error instanceof WallFailure) return error
  const code = codeOf(error)
  if (UNKNOWN_HOST.has(code)) {
    return new WallFailure('no-device', {
      detail: `the host name of ${host} is not known (${code})`,
      fix: 'Check the spelling of the host, or give the IP address of the plug.',
    })
  }
  if (code.startsWith('HPE_')) {
    return new WallFailure('driver-mismatch', {
      detail: `${host} does not speak HTTP (${code})`,
      fix: 'Check the host, the port and the kind of the plug.',
    })
  }
  if (code.includes('CERT') || code.includes('SSL')) return certificateFailure(host, code)
  return new WallFailure('no-device', {
    detail: `${host} cannot be reached (${code})`,
    fix: 'Check that the plug has power and Wi-Fi, that this machine is in the same network, and the port.',
  })
}

/** No answer within the limit, seconds. */
export function timeoutFailure(host: string, timeoutS: number): WallFailure {
  return new WallFailure('no-device', {
    detail: `${host} did not answer within ${timeoutS} s (timeout)`,
    fix: 'Check that the plug is on and its Wi-Fi is good, or raise timeoutS.',
  })
}

function certificateFailure(host: string, code: string): WallFailure {
  return new WallFailure('permission-denied', {
    detail: `the certificate of ${host} is not trusted (${code})`,
    fix: 'Use http in your own network, or set NODE_EXTRA_CA_CERTS to the certificate of the host.',
  })
}

/** The code sits on the error of a socket, and on the cause of the error of `fetch`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : codeOf(error.cause)
}
