import { expect, test } from 'vitest'
import { type GpuWish, selectGpus } from '../../src/nvml/select-gpus.js'

const gpus = [
  { index: 0, uuid: 'GPU-aaaa', isMig: false, processIds: [1, 2] },
  { index: 1, uuid: 'GPU-abbb', isMig: false, processIds: [3] },
  { index: 2, uuid: 'GPU-cccc', isMig: true, processIds: [] },
]

function chosen(wish: GpuWish): unknown {
  const choice = selectGpus(gpus, wish)
  return 'status' in choice ? choice.reason : choice.gpus.map((gpu) => gpu.index)
}

test.each([
  ['nothing named', {}, [0, 1, 2]],
  ['all', { devices: 'all', cudaVisibleDevices: '0' }, [0, 1, 2]],
  ['an index', { devices: ['1'] }, [1]],
  ['a UUID', { devices: ['GPU-cccc'] }, [2]],
  ['the beginning of a UUID', { devices: ['GPU-ab'] }, [1]],
  ['a beginning that fits two', { devices: ['GPU-a'] }, 'no-device'],
  ['one that is not there', { devices: ['7'] }, 'no-device'],
  ['a process', { processIds: [3], devices: ['0'] }, [1]],
  ['a process that is nowhere', { processIds: [99], devices: ['0'] }, [0]],
  ['the CUDA variable', { cudaVisibleDevices: '2,0' }, [2, 0]],
  ['the CUDA variable with UUIDs', { cudaVisibleDevices: 'GPU-cc, GPU-aa' }, [2, 0]],
  ['the CUDA variable up to its first bad entry', { cudaVisibleDevices: '0,9,1' }, [0]],
  ['the CUDA variable that is empty', { cudaVisibleDevices: '' }, 'no-device'],
  ['the CUDA variable with -1', { cudaVisibleDevices: '-1' }, 'no-device'],
  ['the CUDA variable with a MIG slice', { cudaVisibleDevices: 'MIG-1234' }, [2]],
] as const)('%s', (_, wish, expected) => {
  expect(chosen(wish)).toEqual(expected)
})

test('no GPU at all is a value with a reason', () => {
  expect(selectGpus([], {})).toMatchObject({ reason: 'no-device' })
})

test('a process that is nowhere is told', () => {
  expect(selectGpus(gpus, { processIds: [99] })).toMatchObject({
    why: 'all GPUs, since none was named (process 99 was not found on any GPU)',
  })
})
