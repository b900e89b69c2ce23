import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let writer: Worker | undefined
const noteWriter = (worker: Worker) => {
  if (worker.threadName !== 'run-writer') return
  writer = worker
  worker.once('exit', () => {
    if (writer === worker) writer = undefined
  })
}

beforeAll(async () => {
  process.on('worker', noteWriter)
  service = await startTestService()
})
afterAll(async () => {
  process.off('worker', noteWriter)
  await service.close()
})

const samples = 40

/** Ends the thread that stores runs, at each of these numbers of calls, or at the first call after it where none is there to end. */
async function runLosing(losses: readonly number[]) {
  const left = new Set(losses)
  const models = await startModelServer({
    answers: () => '#### 13',
    held: asked => {
      const due = [...left].find(number => number <= asked)
      if (due === undefined || writer === undefined) return null
      left.delete(due)
      return writer.terminate()
    },
  })
  const { client, baseUrl } = service
  const { id } = await client.call('createConnection', {
    body: { name: 'steady', base_url: models.baseUrl, model: 'm', limits: { max_concurrency: 4 } },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
  })
  const run = await submit(client, quoteId)
  return { models, client, baseUrl, runId: run.id, left }
}

test('a run resumes by itself when the thread that stores it is lost twice, and asks a person after the third time', async () => {
  const first = await runLosing([12, 25])
  const run = await runToEnd(first.client, first.baseUrl, first.runId)
  expect(run).toMatchObject({ status: 'complete', progress: { scored: samples, failed: 0 }, pause: null })
  // Each call that the server received is an attempt on record; those that were cut off count as possibly billed.
  const { items } = await first.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
  const details = await Promise.all(items.map(({ id }) => first.client.call('getSample', { params: { run_id: run.id, sample_id: id } })))
  const attempts = details.flatMap(({ attempt_log }) => attempt_log)
  expect(attempts.length).toBeGreaterThanOrEqual(first.models.requests() - 1)
  expect(attempts.length - samples).toBe(run.accounting.possibly_billed_twice)
  await first.models.close()

  // A loss that met no thread above leaves more to be lost here until a person is asked, and one that no write waited for is counted too.
  const second = await runLosing([8, 14, 20])
  await expect
    .poll(() => second.client.call('getRun', { params: { run_id: second.runId } }).then(({ pause }) => pause?.message))
    .toMatch(/The thread that stores runs ended \([34] times within ten minutes\)/)
  second.left.clear()
  await second.client.call('resumeRun', { params: { run_id: second.runId } })
  expect(await runToEnd(second.client, second.baseUrl, second.runId)).toMatchObject({ status: 'complete', progress: { scored: samples } })
  await second.models.close()
})
