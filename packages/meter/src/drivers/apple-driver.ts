import { whyNotApple } from '../apple/open-apple-source.js'
import { openPolledApple } from '../apple/polled-apple.js'
import type { DetectOptions, Driver } from './driver.js'
import { trySource } from './try-source.js'

/** Apple Silicon through IOReport and the SMC. */
export const appleDriver: Driver = {
  id: 'apple',
  name: 'Apple Silicon',
  whyAbsent: ({ platform, arch }) => whyNotApple(platform, arch),
  async detect(options) {
    const places = placesOf(options)
    return trySource(openPolledApple(places), { kind: 'apple', ...places })
  },
}

function placesOf({ appleLibraries, platform, arch }: DetectOptions) {
  return {
    ...(appleLibraries === undefined ? {} : { libraries: appleLibraries }),
    ...(platform === undefined ? {} : { platform }),
    ...(arch === undefined ? {} : { arch }),
  }
}
