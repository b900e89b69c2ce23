import { describe, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { startChildService } from '../support/child-service.ts'
import { patience } from '../support/machine-speed.ts'
import { movingClock } from '../support/moving-clock.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestClient, temporaryFolder } from '../support/service.ts'

const day = 86_400_000

async function slowRun(
  client: TestClient,
  baseUrl: string,
  limits: { max_concurrency: number; attempt_timeout_ms?: number },
): Promise<string> {
  const { id } = await client.call('createConnection', { body: { name: 'slow', base_url: baseUrl, model: 'replay', limits } })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 60, seed: 3 },
    execution: { max_attempts: 1, run_timeout_ms: 600_000 },
  })
  return (await submit(client, quoteId)).id
}

async function scored(client: TestClient, id: string, count: number): Promise<void> {
  while ((await client.call('getRun', { params: { run_id: id } })).progress.scored < count)
    await new Promise(resolve => setTimeout(resolve, 10))
}

describe('time', () => {
  test('a suspended and resumed process loses no call answered in between', async () => {
    const folder = temporaryFolder()
    const mostMs = 2_000 * patience()
    const models = await startModelServer({ answers: () => '#### 13', delayMs: 200 })
    const service = await startChildService(folder.path)
    try {
      const id = await slowRun(service.client, models.baseUrl, { max_concurrency: 8, attempt_timeout_ms: mostMs })
      await scored(service.client, id, 8)
      service.signal('SIGSTOP')
      // Longer than a call may take, by more than a late timer is forgiven.
      await new Promise(resolve => setTimeout(resolve, mostMs + 4_000))
      service.signal('SIGCONT')
      const run = await runToEnd(service.client, service.baseUrl, id)
      expect(run).toMatchObject({ status: 'complete', progress: { scored: 60, failed: 0, retries: 0 } })
      expect(models.requests()).toBe(61)
    } finally {
      await service.stop()
      await models.close()
      folder.remove()
    }
  })

  test('a clock that jumps a day, either way, ends no run and no call', async () => {
    const clock = movingClock()
    const models = await startModelServer({ answers: () => '#### 13', delayMs: 20 })
    const service = await startTestService({}, clock)
    try {
      const { client, baseUrl } = service
      const id = await slowRun(client, models.baseUrl, { max_concurrency: 4 })
      await scored(client, id, 10)
      clock.advance(day)
      await scored(client, id, 30)
      clock.advance(-2 * day)
      const run = await runToEnd(client, baseUrl, id)
      expect(run).toMatchObject({ status: 'complete', progress: { scored: 60, failed: 0, retries: 0 } })
      const samples = await client.call('listSamples', { params: { run_id: id }, query: { limit: 100 } })
      expect(samples.items.every(({ latency_ms: latency }) => latency !== null && latency > 0 && latency < day / 2)).toBe(true)
    } finally {
      await service.close()
      await models.close()
    }
  })
})
