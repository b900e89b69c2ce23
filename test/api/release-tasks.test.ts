import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { startAndFollow } from '../support/releases.ts'
import { runToEnd } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const oracle = { kind: 'managed', route_id: 'assay/oracle-75' } as const
const hasty = { kind: 'managed', route_id: 'assay/hasty' } as const
let service: TestService
let decision: Decision
let source: string
let policyId: string
let suiteId: string

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  source = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `awp-${String(from + i).padStart(4, '0')}`)
  const group = (key: string, from: number, to: number) => ({
    key,
    title: key,
    weight: 1,
    critical: false,
    selection: { task_selections: [{ source_ref: source, split: 'test' as const, task_ids: ids(from, to) }] },
  })
  const suite = await client.call('createReleaseSuite', { body: { name: 'Math', groups: [group('main', 1, 61), group('other', 61, 81)] } })
  suiteId = suite.id
  const rules = [{ kind: 'non_inferiority', key: 'not-worse', margin: 0.5 }] as const
  policyId = (await client.call('createReleasePolicy', { body: { name: 'Ship', rules: [...rules] } })).id
  decision = await startAndFollow(service, (await plan({ label: 'hasty', model: hasty })).id)
})
afterAll(() => service.close())

const plan = (baseline: { label: string; model: typeof hasty } | null) =>
  service.client.call('createReleaseDecision', {
    body: {
      name: 'Release 7',
      candidate: { label: 'oracle', model: oracle },
      ...(baseline && { baseline }),
      suite_version_id: suiteId,
      policy_id: policyId,
      max_charge_microusd: '0',
    },
  })
const list = (query: NonNullable<Parameters<typeof service.client.call<'listDecisionTasks'>>[1]['query']> = {}) =>
  service.client.call('listDecisionTasks', { params: { decision_id: decision.id }, query })
const samplesOf = async (side: 'candidate' | 'baseline') => {
  const values = new Map<string, number | null>()
  for (const { run_id: run, side: own } of decision.evaluations) {
    if (own !== side || run === null) continue
    const page = await service.client.call('listSamples', { params: { run_id: run }, query: { limit: 100 } })
    for (const sample of page.items) values.set(sample.task_id, sample.passed === null ? null : Number(sample.passed))
  }
  return values
}

describe('the tasks of a decision', () => {
  test('are those that its sides score differently, with both answers', async () => {
    const { items, counts, next_cursor } = await list({ limit: 100 })
    const [candidate, baseline] = [await samplesOf('candidate'), await samplesOf('baseline')]
    const expected = [...candidate].flatMap(([task, value]) => {
      const other = baseline.get(task)
      return other === undefined || value === null || other === null || value === other ? [] : [[task, value > other ? 'gained' : 'lost']]
    })
    expect(items.map(({ task_id, change }) => [task_id, change])).toEqual(expected)
    expect(items.some(({ change }) => change === 'lost')).toBe(true)
    expect(counts).toEqual({
      compared: 80,
      gained: items.filter(({ change }) => change === 'gained').length,
      lost: items.filter(({ change }) => change === 'lost').length,
    })
    expect(next_cursor).toBeNull()
    const [first] = items
    expect(first).toMatchObject({ position: 0, source_ref: source, split: 'test' })
    const params = { run_id: first?.candidate.run_id ?? '', sample_id: first?.candidate.sample_id ?? '' }
    const sample = await service.client.call('getSample', { params })
    expect(sample.task_id).toBe(first?.task_id)
    expect(first?.candidate.answer).not.toBeNull()
    expect(first?.target).not.toBeNull()
  })

  test('are filtered by change and group, page by page', async () => {
    const { items: all, counts } = await list({ limit: 100 })
    const lost = all.filter(({ change, group }) => change === 'lost' && group === 'main')
    const page = await list({ change: 'lost', group: 'main', limit: 1 })
    expect(page.items).toEqual(lost.slice(0, 1))
    expect(page.counts).toMatchObject({ compared: 60, lost: lost.length })
    const next = await list({ change: 'lost', group: 'main', limit: 1, cursor: page.next_cursor ?? '' })
    expect(next.items).toEqual(lost.slice(1, 2))
    expect((await list({ group: 'nowhere' })).counts).toEqual({ compared: 0, gained: 0, lost: 0 })
    expect(counts.compared).toBe(80)
  })

  test('are none before the analysis, and none is selected from them', async () => {
    const { id } = await plan({ label: 'hasty', model: hasty })
    const params = { decision_id: id }
    expect(await service.client.call('listDecisionTasks', { params, query: {} })).toEqual({
      items: [],
      next_cursor: null,
      counts: { compared: 0, gained: 0, lost: 0 },
    })
    expect(await service.client.refusal('selectDecisionTasks', { params, body: { change: 'lost' } })).toMatchObject({
      code: 'conflict',
      message: 'No task of "Release 7" is lost. Choose others, or continue the decision first.',
    })
  })

  test('run again as a selection: neither side’s model gets a score on them', async () => {
    const { client, baseUrl } = service
    const params = { decision_id: decision.id }
    const selected = await client.call('selectDecisionTasks', { params, body: { change: 'lost' } })
    const { items } = await list({ change: 'lost', limit: 100 })
    expect(selected).toEqual({
      tasks: items.length,
      task_selections: [{ source_ref: source, split: 'test', task_ids: items.map(({ task_id }) => task_id) }],
    })
    for (const [model, notices] of [
      [oracle, ['sample', 'selected_on_own_results']],
      [hasty, ['sample', 'selected_on_own_results']],
      [{ kind: 'managed', route_id: 'assay/echo' }, ['sample']],
    ] as const) {
      const { run_id: runId } = await client.call('createEvaluation', {
        body: { name: 'Losses', model, task_selections: selected.task_selections, max_charge_microusd: '0' },
      })
      await runToEnd(client, baseUrl, runId)
      const results = await client.call('getRunResults', { params: { run_id: runId } })
      const codes = results.notices.map(({ code }) => code).filter(code => code === 'sample' || code === 'selected_on_own_results')
      expect(codes, model.route_id).toEqual(notices)
    }
  })
})
