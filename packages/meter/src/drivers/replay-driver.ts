import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { readRecording } from '../recording/read-recording.js'
import type { Driver } from './driver.js'

/** A recording in place of hardware, for tests and for looking at a run again. */
export const replayDriver: Driver = {
  id: 'replay',
  name: 'replay',
  whyAbsent: ({ replay }) => (replay === undefined ? noRecording() : undefined),
  async detect({ replay }) {
    if (replay === undefined) return noRecording()
    const recording = readRecording(replay.path)
    if (isUnavailable(recording)) return recording
    const points = recording.points.length
    const domains = recording.domains.map((domain) => domain.id).join(', ')
    return {
      status: 'available',
      detail: `a recording of ${points} points from ${recording.startS} s to ${recording.endS} s of ${domains}`,
      specs: [{ kind: 'replay', ...replay }],
      devices: [],
    }
  },
}

function noRecording(): Unavailable {
  return unavailable(
    'no-device',
    'no recording was named',
    "Name it: openMeter({ meter: 'replay', replay: { path: 'run.jsonl' } }).",
  )
}
