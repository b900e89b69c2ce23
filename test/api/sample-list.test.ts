import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

type Query = NonNullable<Request<Api['listSamples']>['query']>

let service: TestService
let run: Run

beforeAll(async () => {
  service = await startTestService()
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const { items } = await service.client.call('listModels', { query: { limit: 100 } })
  const oracle = items.find(({ route_id }) => route_id.includes('oracle'))?.route_id ?? ''
  const coverage = { mode: 'sample', sample_count: 270, seed: 1 } as const
  const { id } = await quote(service.client, { model: { kind: 'managed', route_id: oracle }, profiles: [profile], coverage })
  run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
})
afterAll(() => service.close())

const list = (query: Query) => service.client.call('listSamples', { params: { run_id: run.id }, query })
const outcomes = async () => (await service.client.call('getSampleOutcomes', { params: { run_id: run.id } })).codes

describe('the samples of a run', () => {
  test('are read from any place, with their true count', async () => {
    const { items, total, next_cursor } = await list({ offset: 268, limit: 10 })
    expect([total, next_cursor]).toEqual([270, null])
    expect(items.map(({ position }) => position)).toEqual([268, 269])
    expect((await list({ offset: 3, limit: 2, sort: '-position' })).items.map(({ position }) => position)).toEqual([266, 265])
    expect((await list({ offset: 270, limit: 2 })).items).toEqual([])
  })

  test('are counted under a filter, and read from any place of what it leaves', async () => {
    const all = await list({ outcome: 'wrong', limit: 100 })
    const some = await list({ outcome: 'wrong', limit: 5, offset: 7 })
    expect(some.total).toBe([...(await outcomes())].filter(code => code === 'w').length)
    expect(some.items).toEqual(all.items.slice(7, 12))
    const { next_cursor: cursor } = await list({ outcome: 'wrong', limit: 7 })
    const after = await list({ outcome: 'wrong', limit: 5, cursor: cursor ?? '' })
    expect([after.items, after.total]).toEqual([some.items, null])
  })

  test('show the input and the target of their task', async () => {
    const [first] = (await list({ limit: 1 })).items
    const detail = await service.client.call('getSample', { params: { run_id: run.id, sample_id: first?.id ?? '' } })
    expect(detail.messages.at(-1)?.content).toContain(first?.input_preview.slice(0, 40))
    expect(first?.target_preview).toBe(detail.targets[0])
  })

  test('name the choice that their target is the letter of', async () => {
    const { client, baseUrl } = service
    const { id } = await quote(client, {
      model: { kind: 'managed', route_id: 'assay/first-option' },
      profiles: [await profileId(client, 'logic-choice', 'by-letter')],
      coverage: { mode: 'sample', sample_count: 3, seed: 1 },
    })
    const { id: run_id } = await runToEnd(client, baseUrl, (await submit(client, id)).id)
    const { items } = await client.call('listSamples', { params: { run_id }, query: {} })
    for (const { id: sample_id, target_preview, target_choice } of items) {
      const { targets, choices } = await client.call('getSample', { params: { run_id, sample_id } })
      expect(target_preview).toBe(targets[0])
      expect(target_choice).toBe(choices?.['ABCD'.indexOf(targets[0] ?? '')])
    }
    expect(items).toHaveLength(3)
  })

  test('are kept by place, latency, tokens and capability', async () => {
    const within = await list({ position_from: 10, position_to: 19, limit: 100 })
    expect(within.items.map(({ position }) => position)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    const tokens = (await list({ limit: 100 })).items.flatMap(({ output_tokens }) => output_tokens ?? [])
    const most = Math.max(...tokens)
    const long = await list({ output_tokens_min: most, limit: 100 })
    expect(long.total).toBeGreaterThan(0)
    expect(long.items.every(({ output_tokens }) => (output_tokens ?? 0) >= most)).toBe(true)
    expect((await list({ latency_min: 1e9 })).total).toBe(0)
    expect((await list({ capability: 'no-such-capability' })).total).toBe(0)
    expect((await list({ error: 'timeout' })).total).toBe(0)
  })

  test('are kept by each part of the breakdowns, as many as the part counts', async () => {
    const { breakdowns } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(new Set(breakdowns.map(({ dimension }) => dimension)).size).toBeGreaterThan(1)
    for (const { profile_id, dimension, value, estimate } of breakdowns) {
      const part = { profile: profile_id, breakdown: dimension, breakdown_value: value }
      const { total } = await list(part)
      const right = await list({ ...part, outcome: 'correct' })
      expect([dimension, value, total]).toEqual([dimension, value, estimate.n])
      expect(right.total).toBe(Math.round((estimate.mean ?? 0) * estimate.n))
    }
    expect((await list({ breakdown: 'month', breakdown_value: '2024-05' })).total).toBe(0)
  })

  test.each(['breakdown=steps', 'breakdown_value=2'])('are not listed as a part by half its name: %s', async query => {
    const reply = await service.fetch(`/v1/runs/${run.id}/samples?${query}`)
    expect(reply.status).toBe(422)
    expect(await reply.json()).toMatchObject({ error: { message: 'breakdown_value must be given together with breakdown' } })
  })

  test('are one letter each in the order of the run', async () => {
    const codes = await outcomes()
    const { items } = await list({ limit: 100 })
    expect(codes).toMatch(/^[cw]{270}$/)
    expect(Array.from(codes.slice(0, 100), code => code === 'c')).toEqual(items.map(({ passed }) => passed))
  })
})
