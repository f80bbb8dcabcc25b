import { type Unavailable, unavailable } from '@energy-bench/spec'

/** The result, or why there is none after so many seconds. A call that blocks the whole thread is not caught here. */
export async function withDeadline<Result>(
  work: Promise<Result>,
  deadlineS: number,
  name: string,
): Promise<Result | Unavailable> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Unavailable>((resolve) => {
    timer = setTimeout(() => resolve(noAnswer(name, deadlineS)), 1000 * deadlineS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A driver that keeps silent. */
export function noAnswer(name: string, silentS: number): Unavailable {
  return unavailable(
    'failed',
    `the driver (${name}) has not answered for ${Math.round(silentS)} s`,
    'See whether the device still works (nvidia-smi, dmesg); then open the meter again.',
  )
}
