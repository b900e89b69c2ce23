import { afterEach, expect, test, vi } from 'vitest'
import { runWorker, type WorkerParts } from '../../../src/headless/worker/run-worker.ts'
import type { RemoteService } from '../../../src/headless/worker/remote-service.ts'
import type { WorkerLease } from '../../../src/contract/workers/workers.schemas.ts'
import type { OperationId } from '../../../src/contract/api.ts'
import type { HeldJob } from '../../../src/service/workers/job-queue.ts'
import { appVersion } from '../../../src/service/version.ts'

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
    version: appVersion,
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
  const parts: WorkerParts = {
    // Whatever is asked has the answer that a worker reads of it.
    service: { call: call as unknown as RemoteService['call'], media: () => Promise.resolve(null) },
    queue: {
      create: nothing,
      send: nothing,
      fetch: () => Promise.resolve(jobs.splice(0)),
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
    execute: async () => {
      executed.push(received.at(-1))
      return { kind: 'probe', fault: null }
    },
    sandboxes: [],
    keys: { publicKey: 'AAAA', receive: (_, keys) => Promise.resolve(void received.push(keys.length)) },
    traffic: { counted: () => [], settle: () => undefined },
    log: () => undefined,
  }
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
