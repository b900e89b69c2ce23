import { afterEach, expect, test, vi } from 'vitest'
import { ServiceError } from '../../../src/contract/client.ts'
import { runWorker, type WorkerParts } from '../../../src/headless/worker/run-worker.ts'
import type { RemoteService } from '../../../src/headless/worker/remote-service.ts'
import type { WorkerLease } from '../../../src/contract/workers/workers.schemas.ts'
import type { OperationId } from '../../../src/contract/api.ts'
import type { HeldJob } from '../../../src/service/workers/job-queue.ts'
import { buildVersion } from '../../../src/service/workers/build-version.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const nothing = () => Promise.resolve()
const key = { connection_id: '01900000-0000-7000-8000-000000000001', origin: 'https://models.example', sealed: 'AAAA' }
const lease = {
  worker: {
    id: '01900000-0000-7000-8000-000000000002',
    name: 'rack 7',
    status: 'active',
    labels: [],
    slots: 1,
    busy: 0,
    version: buildVersion(),
    samples: 0,
    samples_per_minute: 0,
    joined_at: '2026-11-30T00:00:00.000Z',
    last_seen_at: '2026-11-30T00:00:00.000Z',
    shared_keys: [],
  },
  heartbeat_seconds: 0.005,
  queues: [{ label: 'code', name: 'assay.code' }],
  keys: [key],
} satisfies WorkerLease

/** @param call answers what a worker reads of each reply */
function partsOf(call: unknown, own: Pick<WorkerParts, 'execute' | 'keys'> & { readonly jobs: HeldJob[] }): WorkerParts {
  return {
    service: { call: call as RemoteService['call'], media: () => Promise.resolve(null) },
    queue: {
      create: nothing,
      send: nothing,
      fetch: () => Promise.resolve(own.jobs.splice(0)),
      renew: (_, held) => Promise.resolve(new Set(held.map(({ id }) => id))),
      complete: nothing,
      fail: nothing,
      cancel: nothing,
      exhausted: () => Promise.resolve([]),
      ended: () => Promise.resolve([]),
      ping: nothing,
      isReachable: () => true,
      close: nothing,
    },
    execute: own.execute,
    sandboxes: [],
    keys: own.keys,
    traffic: { counted: () => [], settle: () => undefined },
    log: () => undefined,
  }
}

test.each([
  ['is of another version from the start', 0],
  ['is left behind by an update of the service', 3],
])('a worker that %s ends with what to do, and takes nothing more', async (_how, heartbeats) => {
  const message = 'The worker runs Assay 0.0.9 and the service 0.1.0. Install the same version.'
  let reports = 0
  const jobs: HeldJob[] = []
  const call = vi.fn((id: OperationId) => {
    if (id === 'reportWorker' && reports++ < heartbeats) return Promise.resolve(lease)
    return Promise.reject(new ServiceError(409, 'conflict', message, null))
  })
  const parts = partsOf(call, {
    jobs,
    execute: () => expect.unreachable(),
    keys: { publicKey: 'AAAA', receive: nothing },
  })
  const ended = runWorker(parts, { name: 'rack 7', labels: [], slots: 1 }, new AbortController().signal)
  await expect(ended).rejects.toThrow(message)
  expect(call.mock.calls.map(([id]) => id)).toEqual(Array.from({ length: heartbeats + 1 }, () => 'reportWorker'))
})

test('a worker forgets shared keys while the service takes a heartbeat and does not answer, even where closing their client fails', async () => {
  const now = performance.now.bind(performance)
  let later = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  const silence = Promise.withResolvers<WorkerLease>()
  let isSilent = false
  const received: number[] = []
  const call = vi.fn(() => (isSilent ? silence.promise : Promise.resolve(lease)))
  const receive = async (_: string, shared: WorkerLease['keys']) => {
    received.push(shared.length)
    if (shared.length === 0) throw new Error('The client is broken.')
  }
  const parts = partsOf(call, { jobs: [], execute: () => expect.unreachable(), keys: { publicKey: 'AAAA', receive } })
  const stop = new AbortController()
  const running = runWorker(parts, { name: 'rack 7', labels: [], slots: 1 }, stop.signal)
  await expect.poll(() => received.at(-1)).toBe(1)
  isSilent = true
  const calls = call.mock.calls.length
  await expect.poll(() => call.mock.calls.length).toBe(calls + 1)
  later = 20_000
  await expect.poll(() => received.at(-1)).toBe(0)
  expect(call.mock.calls.length).toBe(calls + 1)
  isSilent = false
  silence.resolve(lease)
  await expect.poll(() => received.at(-1)).toBe(1)
  stop.abort()
  await running
})

test('a worker that cannot open its keys makes no call before it can', async () => {
  let isBroken = false
  let receipts = 0
  let faults = 0
  const executed: boolean[] = []
  const jobs: HeldJob[] = []
  const call = vi.fn((id: OperationId) => Promise.resolve(id === 'takeBatch' ? {} : lease))
  const execute: WorkerParts['execute'] = async () => {
    executed.push(isBroken)
    return { kind: 'probe', fault: null }
  }
  const receive = async () => {
    receipts++
    if (!isBroken) return
    faults++
    throw new Error('The key was sealed for another worker.')
  }
  const parts = partsOf(call, { jobs, execute, keys: { publicKey: 'AAAA', receive } })
  const stop = new AbortController()
  const running = runWorker(parts, { name: 'rack 7', labels: [], slots: 1 }, stop.signal)
  await expect.poll(() => receipts).toBeGreaterThan(1)
  isBroken = true
  await expect.poll(() => faults).toBeGreaterThan(0)
  jobs.push({ id: '01900000-0000-7000-8000-000000000003', attempt: 0 })
  await expect.poll(() => call.mock.calls.some(([id]) => id === 'takeBatch')).toBe(true)
  const before = faults
  await expect.poll(() => faults).toBeGreaterThan(before + 1)
  expect(executed).toEqual([])
  isBroken = false
  await expect.poll(() => executed).toEqual([false])
  stop.abort()
  await running
})

test('a worker that the service cannot be reached from forgets shared keys, and makes no call before it has them again', async () => {
  const now = performance.now.bind(performance)
  let later = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  let isReachable = true
  const received: number[] = []
  const executed: (number | undefined)[] = []
  const jobs: HeldJob[] = []
  const call = vi.fn((id: OperationId) => {
    if (id === 'takeBatch') return Promise.resolve({})
    return isReachable ? Promise.resolve(lease) : Promise.reject(new TypeError('fetch failed'))
  })
  const execute: WorkerParts['execute'] = async () => {
    executed.push(received.at(-1))
    return { kind: 'probe', fault: null }
  }
  const keys = { publicKey: 'AAAA', receive: async (_: string, shared: WorkerLease['keys']) => void received.push(shared.length) }
  const parts = partsOf(call, { jobs, execute, keys })
  const stop = new AbortController()
  const running = runWorker(parts, { name: 'rack 7', labels: [], slots: 1 }, stop.signal)
  await expect.poll(() => received.at(-1)).toBe(1)
  isReachable = false
  const calls = call.mock.calls.length
  await expect.poll(() => call.mock.calls.length).toBeGreaterThan(calls + 3)
  expect(received.at(-1)).toBe(1)
  later = 20_000
  await expect.poll(() => received.at(-1)).toBe(0)
  // The service is back and gives a batch before it has heard the worker.
  jobs.push({ id: '01900000-0000-7000-8000-000000000003', attempt: 0 })
  await expect.poll(() => call.mock.calls.some(([id]) => id === 'takeBatch')).toBe(true)
  expect(executed).toEqual([])
  isReachable = true
  await expect.poll(() => executed).toEqual([1])
  stop.abort()
  await running
})
