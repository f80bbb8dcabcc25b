import { createFakeClock, createFakeMeter, type FakeMeterOptions } from '@energy-bench/meter/fake'
import type { LoadedModel, Meter, Task } from '@energy-bench/spec'
import {
  type CellReport,
  type Environment,
  type MeasureEvent,
  type MeasureOptions,
  measure,
} from '../../src/index.js'
import { type Answer, createFakeModel, type FakeModelOptions } from './fake-model.js'
import { createFakeTask } from './fake-task.js'

/** A machine in a test: clock, meter, model and task, and every event of its runs. */
export interface Bench {
  readonly model: LoadedModel
  readonly meter: Meter
  readonly task: Task
  readonly events: MeasureEvent[]
  run(options?: MeasureOptions): Promise<CellReport>
}

export interface BenchOptions {
  readonly answer?: (prompt: string, call: number) => Answer
  readonly meter?: FakeMeterOptions
  /** Changes the fake meter, for example what it can read. */
  readonly wrapMeter?: (meter: Meter) => Meter
  readonly task?: Task
  readonly session?: string
  readonly info?: FakeModelOptions['info']
  readonly loading?: LoadedModel['loading']
}

/** 300 W at work, 100 W idle. Lengths are sums of powers of two, so that sums come out exact. */
export function createBench(options: BenchOptions = {}): Bench {
  const clock = createFakeClock(1024)
  const fake = createFakeMeter({ powerW: 300, idleW: 100, tickS: 0.125, ...options.meter, clock })
  let isIdle = false
  const meter: Meter = {
    ...(options.wrapMeter?.(fake) ?? fake),
    now() {
      // Idle windows wait on the clock, so in one the clock must run.
      if (isIdle) clock.advance(64)
      return clock.now()
    },
  }
  const fakeModel = createFakeModel({
    answer: options.answer ?? ((prompt) => ({ text: prompt })),
    advance: clock.advance,
    work: (run) => fake.work(run),
    ...(options.info === undefined ? {} : { info: options.info }),
  })
  const { loading } = options
  const model = loading === undefined ? fakeModel : { ...fakeModel, loading }
  const task = options.task ?? createFakeTask()
  const events: MeasureEvent[] = []
  const environment = createEnvironment(options.session ?? 's1')
  return {
    model,
    meter,
    task,
    events,
    run: (runOptions = {}) =>
      measure(model, task, {
        meter,
        environment,
        ...runOptions,
        async onEvent(event) {
          events.push(event)
          if (event.type === 'idle-start') isIdle = true
          if (event.type === 'idle-end') isIdle = false
          await runOptions.onEvent?.(event)
        },
      }),
  }
}

function createEnvironment(session: string): Environment {
  return {
    now: () => new Date('2026-11-30T12:00:00.000Z'),
    newSessionId: () => session,
    sleep: async () => {},
    host: () => ({
      os: 'linux 6.1',
      arch: 'x64',
      cpuModel: 'Fake CPU',
      cores: 2,
      memoryBytes: 8e9,
      loadAverage: 0.1,
      nodeVersion: '20.20.2',
    }),
  }
}
