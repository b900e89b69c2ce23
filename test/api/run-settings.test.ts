import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience } from '../support/machine-speed.ts'
import { profileId, runToEnd, submit } from '../support/runs.ts'
import { scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

const resultOf = (id: string) => service.client.call('getRunResults', { params: { run_id: id } })

describe('the cache', () => {
  test('answers the same requests of a later run, with their own latency, and says so', async () => {
    const { run, quoteId, models } = await scriptedRun(service, profile, { samples: 5, execution: { cache: true, epochs: 2 }, delayMs: 5 })
    expect(run.progress.cached).toBe(0)
    const asked = models.requests()
    const { id } = await submit(service.client, quoteId, 'again')
    const again = await runToEnd(service.client, service.baseUrl, id)
    expect(models.requests()).toBe(asked)
    expect(again).toMatchObject({ status: 'complete', progress: { scored: 10, cached: 10 } })
    expect((await resultOf(id)).notices.map(notice => notice.code)).toContain('cached')
    const samplesOf = async (runId: string) =>
      (await service.client.call('listSamples', { params: { run_id: runId }, query: { limit: 20 } })).items.map(
        ({ task_id, epoch, latency_ms, output_tokens, cached }) => ({ task_id, epoch, latency_ms, output_tokens, cached }),
      )
    const [before, after] = [await samplesOf(run.id), await samplesOf(id)]
    expect(after).toEqual(before.map(sample => ({ ...sample, cached: true })))
    await models.close()
  })

  test('is off by default', async () => {
    const { quoteId, models } = await scriptedRun(service, profile, { samples: 3 })
    const asked = models.requests()
    await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoteId, 'again')).id)
    expect(models.requests()).toBe(asked + 3)
    await models.close()
  })
})

describe('time limits', () => {
  test('of the run: what was not asked by then is missing, and can be asked later', async () => {
    const { run, models } = await scriptedRun(service, profile, {
      samples: 100,
      delayMs: 50 * patience(),
      execution: { run_timeout_ms: 500 * patience() },
    })
    expect(run).toMatchObject({ status: 'partial', stop_reason: { code: 'time_limit' } })
    const { frozen, scored, missing, failed } = run.progress
    expect(scored).toBeGreaterThan(0)
    expect(scored + missing + failed).toBe(frozen)
    await models.close()
  })

  test('of a sample: its attempts and pauses together', async () => {
    const { run, models } = await scriptedRun(service, profile, {
      samples: 1,
      faults: ['hang'],
      execution: { sample_timeout_ms: 300, max_attempts: 5 },
    })
    expect(run.progress).toMatchObject({ failed: 1, retries: 0 })
    expect(run.progress.failures).toMatchObject([{ count: 1 }])
    await models.close()
  })
})

describe('a throttled call', () => {
  test('fails its sample if the connection says so, and is retried otherwise', async () => {
    const fast = await scriptedRun(service, profile, {
      samples: 3,
      faults: ['throttled'],
      onThrottle: 'fail_fast',
      execution: { max_attempts: 3 },
    })
    expect(fast.run.progress).toMatchObject({ scored: 2, failed: 1, retries: 0 })
    const adapting = await scriptedRun(service, profile, {
      samples: 3,
      faults: ['throttled-without-pause'],
      execution: { max_attempts: 3 },
    })
    expect(adapting.run.progress).toMatchObject({ scored: 3, failed: 0, retries: 1 })
    await Promise.all([fast.models.close(), adapting.models.close()])
  })
})
