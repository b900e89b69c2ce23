import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string
const oracle = { kind: 'managed', route_id: 'assay/oracle-75' } as const

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

describe('a run of a baseline', () => {
  test('scores every frozen sample once and answers results with intervals', async () => {
    const { client, baseUrl } = service
    const { id: quoteId, counts } = await quote(client, { model: oracle, profiles: [profile] })
    const submitted = await submit(client, quoteId, 'whole benchmark')
    const run = await runToEnd(client, baseUrl, submitted.id)
    expect(run.status).toBe('complete')
    expect(run.progress).toMatchObject({ frozen: counts.samples, scored: counts.samples, failed: 0, pending: 0, active: 0 })
    expect(run.accounting.state).toBe('settled')

    const results = await client.call('getRunResults', { params: { run_id: run.id } })
    expect(results.result_version).toBe(1)
    expect(results.coverage.full_benchmark).toBe(true)
    const primary = results.metrics.find(metric => metric.primary)
    expect(primary?.estimate.n).toBe(counts.tasks)
    const { items } = await client.call('listRuns', { query: { limit: 1 } })
    expect(items[0]?.scores).toEqual([
      { profile_id: profile, metric: primary?.metric, title: primary?.title, estimate: primary?.estimate, biased: false },
    ])
    expect(primary?.estimate.interval?.method).toBe('wilson')
    // Of 270 tasks, drawn by the run's id: bounds that one run in a hundred million misses.
    expect(primary?.estimate.mean).toBeGreaterThan(0.6)
    expect(primary?.estimate.mean).toBeLessThan(0.9)
    expect(primary?.estimate.interval?.low).toBeLessThan(primary?.estimate.mean ?? 0)
    expect(results.notices.map(notice => notice.code)).toContain('not_a_model')
  })

  test('of a sample says that it is no benchmark score, and freezes nested tasks by its seed', async () => {
    const { client, baseUrl } = service
    const taskIds = async (sampleCount: number, seed: number) => {
      const { id: quoteId } = await quote(client, {
        model: oracle,
        profiles: [profile],
        coverage: { mode: 'sample', sample_count: sampleCount, seed },
      })
      const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
      const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
      const { notices } = await client.call('getRunResults', { params: { run_id: run.id } })
      expect(notices.map(notice => notice.code)).toContain('sample')
      return items.map(sample => sample.task_id)
    }
    const ten = await taskIds(10, 7)
    const thirty = await taskIds(30, 7)
    expect(thirty.slice(0, 10)).toEqual(ten)
    expect(await taskIds(10, 8)).not.toEqual(ten)
  })

  test('is the same run when its submission is sent again', async () => {
    const { client } = service
    const { id: quoteId } = await quote(client, {
      model: oracle,
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 5, seed: 1 },
    })
    const [first, second] = await Promise.all([submit(client, quoteId, 'once', 'the-key'), submit(client, quoteId, 'once', 'the-key')])
    expect(second.id).toBe(first.id)
    expect((await submit(client, quoteId, 'once', 'another-key')).id).not.toBe(first.id)
    const mismatch = await client.refusal('submitRun', {
      body: { quote_id: quoteId, name: 'other' },
      headers: { 'idempotency-key': 'the-key' },
    })
    expect(mismatch).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
  })

  test('exports the same bytes each time', async () => {
    const { client, baseUrl } = service
    const { id: quoteId } = await quote(client, {
      model: oracle,
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 20, seed: 3 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId, 'exported')).id)
    for (const [format, type] of [
      ['json', 'application/json'],
      ['csv', 'text/csv'],
      ['html', 'text/html'],
    ] as const) {
      const once = await service.fetch(`/v1/runs/${run.id}/export?format=${format}&version=1`)
      const again = await service.fetch(`/v1/runs/${run.id}/export?format=${format}`)
      expect(once.headers.get('content-type')).toContain(type)
      expect(once.headers.get('content-disposition')).toContain(`exported-v1.${format}`)
      const body = await once.text()
      expect(body.length).toBeGreaterThan(500)
      expect(await again.text()).toBe(body)
    }
    const missing = await service.fetch(`/v1/runs/${run.id}/export?version=9`)
    expect(missing.status).toBe(404)
  })

  test('that asks each task three times states the score of its most frequent answers', async () => {
    const { client, baseUrl } = service
    const { id: quoteId } = await quote(client, {
      model: { kind: 'managed', route_id: 'assay/oracle-50' },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 30, seed: 5 },
      execution: { epochs: 3 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
    const params = { run_id: run.id }
    const { items } = await client.call('listSamples', { params, query: { limit: 100 } })
    const { metrics } = await client.call('getRunResults', { params })
    const winners = [...Map.groupBy(items, ({ task_id }) => task_id).values()].map(attempts => {
      const scores = attempts.toSorted((a, b) => a.epoch - b.epoch).flatMap(({ scores: [score] }) => score ?? [])
      const votes = [...Map.groupBy(scores, ({ answer }) => answer).values()]
      return votes.reduce((best, vote) => (vote.length > best.length ? vote : best))[0]?.value ?? 0
    })
    expect(winners).toHaveLength(30)
    const majority = metrics.find(({ attempts }) => attempts?.kind === 'majority')
    expect(majority).toMatchObject({ attempts: { k: 3, metric: items[0]?.scores[0]?.metric }, estimate: { n: 30 } })
    expect(majority?.estimate.mean).toBeCloseTo(winners.reduce((sum, value) => sum + value, 0) / 30, 12)
    expect(majority?.estimate.mean).not.toBe(metrics[0]?.estimate.mean)
  })

  test('lists samples by filter, sort and page without repeating or skipping one', async () => {
    const { client, baseUrl } = service
    const { id: quoteId } = await quote(client, {
      model: oracle,
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 50, seed: 5 },
      execution: { epochs: 2 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
    for (const sort of ['position', '-position', '-value', 'output_tokens', '-latency'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await client.call('listSamples', {
          params: { run_id: run.id },
          query: { limit: 7, sort, ...(cursor ? { cursor } : {}) },
        })
        seen.push(...page.items.map(sample => sample.id))
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      expect(seen).toHaveLength(100)
      expect(new Set(seen).size).toBe(100)
    }
    const wrong = await client.call('listSamples', { params: { run_id: run.id }, query: { passed: 'false', limit: 100 } })
    const right = await client.call('listSamples', { params: { run_id: run.id }, query: { passed: 'true', limit: 100 } })
    expect(wrong.items.length + right.items.length).toBe(100)
    const one = wrong.items[0] ?? right.items[0]
    const found = await client.call('listSamples', { params: { run_id: run.id }, query: { q: one?.task_id ?? '' } })
    expect(found.items.map(sample => sample.task_id)).toContain(one?.task_id)
    const { metrics } = await client.call('getRunResults', { params: { run_id: run.id } })
    const passes = [...Map.groupBy([...wrong.items, ...right.items], ({ task_id }) => task_id).values()].map(
      attempts => attempts.filter(({ passed }) => passed).length,
    )
    expect(passes).toHaveLength(50)
    const share = (of: (count: number) => boolean) => passes.filter(of).length / 50
    const [score, ...repeated] = metrics.filter(({ scorer }) => scorer === metrics[0]?.scorer)
    expect(score?.estimate.mean).toBeCloseTo(passes.reduce((sum, count) => sum + count, 0) / 100, 12)
    expect(repeated.map(({ attempts, primary, estimate }) => [attempts, primary, estimate.n, estimate.mean])).toEqual([
      [{ kind: 'pass_at_k', k: 2, metric: score?.metric }, false, 50, share(count => count > 0)],
      [{ kind: 'pass_hat_k', k: 2, metric: score?.metric }, false, 50, share(count => count === 2)],
    ])
    const detail = await client.call('getSample', { params: { run_id: run.id, sample_id: one?.id ?? '' } })
    expect(detail.messages.at(-1)?.role).toBe('user')
    expect(detail.attempt_log).toHaveLength(1)
    expect(detail.score_details.every(score => score.explanation.length > 0)).toBe(true)
  })

  test('cannot be cancelled or submitted once that is over', async () => {
    const { client, baseUrl } = service
    const { id: quoteId } = await quote(client, {
      model: oracle,
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 3, seed: 9 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
    expect(await client.refusal('cancelRun', { params: { run_id: run.id } })).toMatchObject({ status: 409, code: 'illegal_transition' })
  })
})
