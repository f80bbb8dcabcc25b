import { expect, test } from 'vitest'
import { type GpuCandidate, type GpuWish, selectGpus } from '../../src/nvml/select-gpus.js'

function gpu(index: number, uuid: string, more: Partial<GpuCandidate> = {}): GpuCandidate {
  return {
    index,
    uuid,
    name: 'H200',
    busId: `0000:${index}5:00.0`,
    isMig: false,
    isAsleep: false,
    processIds: [],
    ...more,
  }
}

const gpus = [
  gpu(0, 'GPU-aaaa', { processIds: [1, 2] }),
  gpu(1, 'GPU-abbb', { processIds: [3] }),
  gpu(2, 'GPU-cccc', { isMig: true }),
]
const migParents = new Map([
  ['MIG-1', 'GPU-cccc'],
  ['MIG-2', 'GPU-cccc'],
])

function chosen(wish: GpuWish, among: readonly GpuCandidate[] = gpus): unknown {
  const choice = selectGpus(among, { migParents, ...wish })
  return 'status' in choice ? choice.reason : choice.gpus.map(({ index }) => index)
}

function why(wish: GpuWish, among: readonly GpuCandidate[] = gpus): string {
  const choice = selectGpus(among, { migParents, ...wish })
  return 'status' in choice ? choice.detail : choice.why
}

function cuda(visibleDevices: string, deviceOrder?: string): GpuWish {
  return { cuda: { visibleDevices, ...(deviceOrder === undefined ? {} : { deviceOrder }) } }
}

test.each<[string, GpuWish, unknown]>([
  ['nothing named', {}, [0, 1, 2]],
  ['all', { devices: 'all', ...cuda('0') }, [0, 1, 2]],
  ['an index', { devices: ['1'] }, [1]],
  ['a UUID', { devices: ['GPU-cccc'] }, [2]],
  ['a UUID in capitals', { devices: ['gpu-CCCC'] }, [2]],
  ['the beginning of a UUID', { devices: ['GPU-ab'] }, [1]],
  ['a beginning that fits two', { devices: ['GPU-a'] }, 'no-device'],
  ['a bus address', { devices: ['0000:15:00.0'] }, [1]],
  ['a bus address as NVML writes it', { devices: ['00000000:15:00.0'] }, [1]],
  ['a bus address without its domain', { devices: ['15:00.0'] }, [1]],
  ['a bus address that is not there', { devices: ['0000:99:00.0'] }, 'no-device'],
  ['a MIG slice, the GPU of which is metered [6]', { devices: ['MIG-1'] }, [2]],
  ['two names of one GPU', { devices: ['1', 'GPU-ab'] }, [1]],
  ['one that is not there', { devices: ['7'] }, 'no-device'],
  ['an empty list', { devices: [] }, 'no-device'],
  ['a process', { processIds: [3], devices: ['0'] }, [1]],
  ['a process that is nowhere', { processIds: [99], devices: ['0'] }, [0]],
  ['the CUDA variable', cuda('2,0'), [2, 0]],
  ['the CUDA variable with UUIDs', cuda('GPU-cc, GPU-aa'), [2, 0]],
  ['the CUDA variable with a number that text follows', cuda('1x'), [1]],
  ['the CUDA variable up to its first bad entry', cuda('0,9,1'), [0]],
  ['the CUDA variable up to an ambiguous UUID', cuda('GPU-cc,GPU-a,GPU-ab'), [2]],
  ['the CUDA variable up to an entry of another kind', cuda('0,GPU-cc'), [0]],
  ['the CUDA variable that is empty', cuda(''), 'no-device'],
  ['the CUDA variable with -1', cuda('-1'), 'no-device'],
  ['the CUDA variable with one GPU twice', cuda('0,0'), 'no-device'],
  ['the CUDA variable with one GPU twice by UUID', cuda('GPU-cc,GPU-cccc'), 'no-device'],
  ['the CUDA variable with two slices of one GPU [6]', cuda('MIG-1,MIG-2'), [2]],
  ['the CUDA variable with a slice that is not there', cuda('MIG-9'), 'no-device'],
  ['the CUDA variable with a slice as old drivers name it', cuda('MIG-GPU-cccc/1/0'), [2]],
])('%s', (_, wish, expected) => {
  expect(chosen(wish)).toEqual(expected)
})

test('no GPU at all is a value with a reason', () => {
  expect(selectGpus([], {})).toMatchObject({ reason: 'no-device' })
})

test('a process that is nowhere is told', () => {
  expect(why({ processIds: [99] })).toBe(
    'all GPUs, since none was named (process 99 was not found on any GPU, as happens in containers)',
  )
})

test('a beginning that fits two names both', () => {
  expect(why({ devices: ['GPU-a'] })).toBe(
    'GPU-a is the beginning of more than one GPU: GPU-aaaa, GPU-abbb',
  )
})

test('CUDA_VISIBLE_DEVICES that hides every GPU is told, and so is one that is cut short', () => {
  expect(why(cuda(''))).toBe('CUDA_VISIBLE_DEVICES is "", which hides every GPU')
  expect(why(cuda('0,9,1'))).toBe('CUDA_VISIBLE_DEVICES is 0,9,1; from "9" on it means no GPU here')
})

test('with CUDA_VISIBLE_DEVICES=3 only that one of 8 GPUs counts [7]', () => {
  const eight = Array.from({ length: 8 }, (_, index) => gpu(index, `GPU-${index}`))
  expect(chosen(cuda('3'), eight)).toEqual([3])
})

const mixed = [
  gpu(0, 'GPU-3060', { name: 'RTX 3060', busId: '0000:65:00.0' }),
  gpu(1, 'GPU-4090', { name: 'RTX 4090', busId: '0000:01:00.0' }),
]

test('numbers count along the bus, whatever order NVML gives [8]', () => {
  expect(chosen(cuda('0', 'PCI_BUS_ID'), mixed)).toEqual([1])
})

test('numbers among different models are assumed, unless CUDA counts along the bus or UUIDs are given [8]', () => {
  expect(why(cuda('0'), mixed)).toContain('assumed: ')
  expect(why(cuda('0', 'FASTEST_FIRST'), mixed)).toContain('assumed: ')
  expect(why(cuda('0', 'PCI_BUS_ID'), mixed)).not.toContain('assumed')
  expect(why(cuda('GPU-30'), mixed)).not.toContain('assumed')
  expect(why(cuda('0'))).not.toContain('assumed')
})

const laptop = [gpu(0, 'GPU-on'), gpu(1, 'GPU-asleep', { isAsleep: true })]

test('a suspended GPU is left out unless it is named [40]', () => {
  expect(chosen({}, laptop)).toEqual([0])
  expect(why({}, laptop)).toContain('except 0000:15:00.0, which is suspended')
  expect(chosen({ devices: ['GPU-asleep'] }, laptop)).toEqual([1])
  expect(chosen({}, laptop.slice(1))).toBe('asleep')
})
