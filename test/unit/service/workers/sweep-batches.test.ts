import { expect, onTestFinished, test, vi } from 'vitest'
import { noRequestSettings } from '../../../../src/contract/connections/request-settings.schemas.ts'
import { type BatchHolder, createBatches, UndeliverableError } from '../../../../src/service/workers/batches.ts'
import type { BatchContent } from '../../../../src/service/workers/hold-limit.ts'
import { queueName } from '../../../../src/service/workers/queue-name.ts'
import { sweepBatches } from '../../../../src/service/workers/sweep-batches.ts'

const workspaceId = '01a20d28-6cf6-70a6-90f9-227a193e66a3'
const minute = 60_000
const grade: BatchContent = { kind: 'grade', metrics: [{ scorer: 'evalplus/base', options: {} }], inputs: [{ output: 'x', targets: [] }] }
const endpoint = {
  connection_id: workspaceId,
  protocol: 'openai_chat',
  base_url: 'http://127.0.0.1:1/v1',
  model: 'm',
  streaming: false,
  timeout_ms: 30_000,
  request_settings: noRequestSettings,
  ca_certificates: null,
} as const
const call: BatchContent = { kind: 'call', endpoint, request: { messages: [], temperature: 0, maxOutputTokens: 1, stop: [] } }

/** One batch, a queue in memory and workers that are there. */
function world(content: BatchContent, { isPresent = true, isReachable = true } = {}) {
  let time = 0
  const now = () => time
  const queue = queueName(workspaceId, content.kind === 'grade' ? 'code' : 'model.x')
  const batches = createBatches(now)
  const stalled: string[] = []
  const jobs = { ended: new Set<string>(), exhausted: [] as string[], cancelled: [] as string[] }
  const outcome = batches.add('batch', { workspaceId, queue, content, samples: null }).catch((error: unknown) => error)
  return {
    batches,
    stalled,
    jobs,
    outcome,
    pass: (ms: number) => (time += ms),
    take: (workerId: string, attempt = 0) => batches.take('batch', { workspaceId, workerId, attempt }, () => undefined),
    sweep: () =>
      sweepBatches({
        batches,
        now,
        stall: name => void stalled.push(name),
        queue: {
          cancel: async (_, ids) => void jobs.cancelled.push(...ids),
          ended: async (_, ids) => ids.filter(id => jobs.ended.has(id)),
          exhausted: async () => jobs.exhausted.splice(0),
          isReachable: () => isReachable,
          ping: async () => {},
        },
        registry: {
          isPresent: () => isPresent,
          takers: () => (isPresent ? [{ id: 'taker', slots: 1 }] : []) as never[], // nothing else is looked at
        },
      }),
    isOpen: () => batches.open(queue).length === 1,
  }
}

test('gives up a batch whose job a worker ended without an outcome, and says that it was taken', async () => {
  const { take, jobs, sweep, outcome, isOpen } = world(call)
  take('silent')
  await sweep()
  expect(isOpen()).toBe(true)
  jobs.ended.add('batch')
  await sweep()
  expect(await outcome).toMatchObject({
    name: 'UndeliverableError',
    wasTaken: true,
    message: expect.stringContaining('without an outcome'),
  })
})

test('asks for no job that nobody has taken: it may not be in the queue yet', async () => {
  const { jobs, sweep, isOpen } = world(grade)
  jobs.ended.add('batch')
  await sweep()
  expect(isOpen()).toBe(true)
})

test('takes a batch from a worker that renews its lease for ever, whoever has taken it since', async () => {
  const { take, jobs, pass, sweep, outcome, isOpen } = world(grade)
  take('stuck', 0)
  pass(14 * minute)
  await sweep()
  take('stuck', 1)
  expect(isOpen()).toBe(true)
  pass(2 * minute)
  await sweep()
  expect(await outcome).toBeInstanceOf(UndeliverableError)
  expect(jobs.cancelled).toEqual(['batch'])
})

test('gives a call the time that its endpoint has, before it counts as lost', async () => {
  const { take, pass, sweep, outcome, isOpen } = world(call)
  take('slow')
  pass(2 * minute)
  await sweep()
  expect(isOpen()).toBe(true)
  pass(2 * minute)
  await sweep()
  expect(await outcome).toMatchObject({ wasTaken: true })
})

test('gives up what is reported for late, and refuses the report', async () => {
  const { batches, take, jobs, sweep, outcome } = world(grade)
  take('silent')
  jobs.ended.add('batch')
  await sweep()
  await outcome
  const holder: BatchHolder = { workspaceId, workerId: 'silent', attempt: 0 }
  const late = batches.report('batch', holder, { kind: 'grade', scores: [] }, () => {
    throw new Error('A late report is not accepted.')
  })
  await expect(late).rejects.toMatchObject({ code: 'not_found' })
})

test('stops waiting for a report that it refuses, since its run is over', async () => {
  const stopped = vi.spyOn(AbortController.prototype, 'abort')
  onTestFinished(() => stopped.mockRestore())
  const batches = createBatches(() => 0)
  const holder: BatchHolder = { workspaceId, workerId: 'late', attempt: 0 }
  void batches.add('batch', {
    workspaceId,
    queue: 'q',
    content: { kind: 'grade', metrics: [], inputs: [] },
    samples: { runNo: 1, positions: [0] },
  })
  batches.take('batch', holder, () => undefined)
  const report = batches.report('batch', holder, { kind: 'grade', scores: [] }, () => undefined)
  batches.over(1)
  await expect(report).rejects.toMatchObject({ code: 'conflict' })
  expect(stopped).toHaveBeenCalledOnce()
})

test('gives up what no worker takes, and what waits 20 seconds for a queue that does not respond', async () => {
  const alone = world(grade, { isPresent: false })
  await alone.sweep()
  expect(await alone.outcome).toMatchObject({ wasTaken: false, message: 'No worker takes it.' })
  const cut = world(grade, { isReachable: false })
  cut.pass(19_000)
  await cut.sweep()
  expect(cut.isOpen()).toBe(true)
  cut.pass(2_000)
  await cut.sweep()
  expect(await cut.outcome).toMatchObject({ message: 'The queue does not respond.' })
})

test('gives up what workers with a free slot let lie for 20 seconds, and waits for workers whose slots are in use', async () => {
  const idle = world(grade)
  idle.pass(19_000)
  await idle.sweep()
  expect(idle.isOpen()).toBe(true)
  idle.pass(2_000)
  await idle.sweep()
  expect(await idle.outcome).toMatchObject({ wasTaken: false, message: 'Workers with free slots did not take it.' })
  expect([idle.jobs.cancelled, idle.stalled]).toEqual([['batch'], [queueName(workspaceId, 'code')]])

  const busy = world(grade)
  const other = { workspaceId, queue: 'another queue', content: grade, samples: null }
  void busy.batches.add('other', other)
  busy.batches.take('other', { workspaceId, workerId: 'taker', attempt: 0 }, () => undefined)
  busy.pass(60_000)
  await busy.sweep()
  expect(busy.batches.open(queueName(workspaceId, 'code')).map(({ id }) => id)).toEqual(['batch'])
  expect(busy.stalled).toEqual([])
})

test('a worker whose report can no longer be stored, because its run is over, is told to drop the batch', async () => {
  const batches = createBatches(() => 0)
  const holder: BatchHolder = { workspaceId, workerId: 'one', attempt: 0 }
  const queue = queueName(workspaceId, 'code')
  const made = batches.add('batch', { workspaceId, queue, content: grade, samples: { runNo: 1, positions: [0] } })
  batches.take('batch', holder, () => undefined)
  const score = { value: 1, class: 'correct' as const, answer: null, answerSpan: null, explanation: '' }
  const outcome = { kind: 'grade' as const, scores: [[score]] }
  const report = batches.report('batch', holder, outcome, () => undefined)
  expect(await made).toBe(outcome)
  batches.over(2)
  batches.over(1)
  await expect(report).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Drop it') })
  await expect(batches.report('batch', holder, outcome, () => undefined)).rejects.toMatchObject({ code: 'not_found' })
})
