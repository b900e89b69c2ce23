import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ExecutionSettings } from '../../src/contract/quotes/quotes.schemas.ts'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { allot, oneEach, pricedRoute } from '../support/priced-quote.ts'
import { advanceFully, type NewDecisionBody, type PolicyBody } from '../support/releases.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let suiteId: string
let source_ref: string
const task_ids = Array.from({ length: 20 }, (_, i) => `awp-${String(i + 1).padStart(4, '0')}`)

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  source_ref = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const selection = { task_selections: [{ source_ref, split: 'test' as const, task_ids }] }
  const groups = [{ key: 'all', title: 'All', weight: 1, critical: false, selection }]
  suiteId = (await client.call('createReleaseSuite', { body: { name: 'Twenty', groups } })).id
})
afterAll(() => service.close())

const managed = (route_id: string) => ({ label: route_id, model: { kind: 'managed' as const, route_id } })
const policy = (body: Partial<PolicyBody>) =>
  service.client.call('createReleasePolicy', {
    body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.3 }], ...body },
  })
const plan = async (policyBody: Partial<PolicyBody>, more: Partial<NewDecisionBody> = {}): Promise<Decision> =>
  service.client.call('createReleaseDecision', {
    body: {
      name: 'Release',
      candidate: managed('assay/oracle-75'),
      suite_version_id: suiteId,
      policy_id: (await policy(policyBody)).id,
      max_charge_microusd: '0',
      ...more,
    },
  })

test('a retry from the page of a run stays within the spending limit of its decision', async () => {
  const { client, baseUrl } = service
  await allot(service, '10000000')
  // The first call of either evaluation is answered and paid for: the one that comes first waits for the other.
  const { promise: both, resolve: second } = Promise.withResolvers<void>()
  const { models, routeId } = await pricedRoute(service, oneEach, {
    answers: () => '#### 13',
    faults: ['ok', 'ok', 'bad-request', 'bad-request'],
    held: asked => {
      if (asked === 2) second()
      return asked === 1 ? both : null
    },
  })
  onTestFinished(() => models.close())
  const cap = 1_000_000
  const decision = await plan(
    { rules: [{ kind: 'non_inferiority', key: 'not-worse', margin: 0.1 }] },
    {
      candidate: managed(routeId),
      baseline: managed(routeId),
      max_charge_microusd: String(cap),
      execution: ExecutionSettings.parse({ max_output_tokens: 50, max_attempts: 1, concurrency: 1 }),
    },
  )
  const { evaluations } = await client.call('advanceReleaseDecision', { params: { decision_id: decision.id } })
  for (const { run_id } of evaluations) await runToEnd(client, baseUrl, run_id ?? '')
  const ended = await client.call('getReleaseDecision', { params: { decision_id: decision.id } })
  const charged = ended.evaluations.map(evaluation => Number(evaluation.charged_microusd))
  expect(charged.every(amount => amount > 0)).toBe(true)
  expect(Number(ended.committed_microusd)).toBe(charged.reduce((sum, amount) => sum + amount, 0))
  const failed = await Promise.all(evaluations.map(({ run_id }) => client.call('getRun', { params: { run_id: run_id ?? '' } })))
  const run = failed.find(({ progress }) => progress.failed > 0)
  const part = await client.call('retryFailed', { params: { run_id: run?.id ?? '' } })
  expect(Number(part.accounting.max_charge_microusd)).toBe(cap - Number(ended.committed_microusd))
  await runToEnd(client, baseUrl, part.id)
})

describe('a policy', () => {
  test('names the rules that no candidate can pass when it is created', async () => {
    const made = await policy({
      rules: [
        { kind: 'min_score', key: 'perfect', threshold: 1 },
        { kind: 'max_error_rate', key: 'faultless', threshold: 0 },
        { kind: 'judge_calibrated', key: 'judge', min_kappa: 1, min_n: 30, max_age_days: 90 },
        { kind: 'max_error_rate', key: 'point', threshold: 0, basis: 'point' },
        { kind: 'min_score', key: 'fine', threshold: 0.99 },
      ],
    })
    expect(made.cautions.map(caution => /"([a-z]+)" can never pass/.exec(caution)?.[1])).toEqual(['perfect', 'faultless', 'judge'])
    const { items } = await service.client.call('listReleaseAssets', { query: { kind: 'policy', limit: 1 } })
    expect(items).toMatchObject([{ id: made.id, cautions: made.cautions }])
  })
})

test('labels are awaited at the last look alone, and a newest label of "unsure" does not count', async () => {
  const { client } = service
  // The baseline answers 2 of the 20 tasks right in every run.
  const { id } = await plan(
    {
      rules: [
        { kind: 'min_score', key: 'score', threshold: 0.1 },
        { kind: 'min_labels', key: 'labels', min_n: 15 },
      ],
      looks: 2,
    },
    { candidate: managed('assay/majority') },
  )
  const waits = await advanceFully(service, id)
  expect(waits).toMatchObject({ status: 'collecting', look: 2, missing: [{ code: 'labels' }] })
  expect(waits.rules?.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'missing'])
  const runs = waits.evaluations.flatMap(({ run_id }) => run_id ?? [])
  const pages = await Promise.all(runs.map(run_id => client.call('listSamples', { params: { run_id } })))
  const samples = pages.flatMap(page => page.items).slice(0, 15)
  const label = (sample: (typeof samples)[number], verdict: 'pass' | 'unsure') =>
    client.call('createReleaseLabel', { body: { target: { run_id: sample.run_id, sample_id: sample.id }, verdict } })
  for (const sample of samples) await label(sample, 'pass')
  const [first] = samples
  if (!first) throw new Error('The runs have no samples.')
  await label(first, 'unsure')
  const less = await client.call('getReleaseDecision', { params: { decision_id: id } })
  expect(less.missing[0]?.message).toBe('14 of 15 samples of the candidate are labeled by people.')
  await label(first, 'pass')
  expect(await advanceFully(service, id)).toMatchObject({ status: 'awaiting_human', look: 2 })
})

test('adopted evaluations are counted by their own samples when labels are planned', async () => {
  const { client, baseUrl } = service
  const evaluation = await client.call('createEvaluation', {
    body: {
      name: 'Before',
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      task_selections: [{ source_ref, split: 'test', task_ids }],
      max_charge_microusd: '0',
    },
  })
  await runToEnd(client, baseUrl, evaluation.run_id)
  const candidate = { label: 'adopted', evaluation_ids: { all: evaluation.id } }
  const labels = async (min_n: number) => (await policy({ rules: [{ kind: 'min_labels', key: 'labels', min_n }] })).id
  const body = async (min_n: number) => ({
    name: 'Adopted',
    candidate,
    suite_version_id: suiteId,
    policy_id: await labels(min_n),
    max_charge_microusd: '0',
  })
  expect((await client.refusal('createReleaseDecision', { body: await body(21) })).message).toContain('has only 20 samples')
  expect((await client.call('createReleaseDecision', { body: await body(20) })).status).toBe('draft')
})

test('a decision proposes the issue events that its answers support, and a person can send them', async () => {
  const { client } = service
  const [task_id = ''] = task_ids
  const open = async (title: string) =>
    (await client.call('createIssueEvent', { body: { type: 'open', title, severity: 'high', tasks: [{ source_ref, task_id }] } })).issue
  const issue = await open('Adds wrong')
  const proposed = async (route: string) => {
    const decided = await advanceFully(service, (await plan({ human: { required: false } }, { candidate: managed(route) })).id)
    const { proposed_events } = await client.call('getReleaseDecision', { params: { decision_id: decided.id } })
    return { decided, event: proposed_events.find(({ issue: of }) => of.id === issue.id) }
  }
  const wrong = await proposed('assay/echo')
  expect(wrong.event).toMatchObject({ issue: { title: 'Adds wrong', status: 'open' }, body: { type: 'reproduce' } })
  if (!wrong.event) throw new Error('Nothing was proposed.')
  await client.call('createIssueEvent', { body: wrong.event.body })
  const right = await proposed('assay/oracle-100')
  expect(right.event).toMatchObject({ issue: { status: 'reproduced' }, body: { type: 'fix', decision_id: right.decided.id } })
  if (!right.event) throw new Error('Nothing was proposed.')
  expect((await client.call('createIssueEvent', { body: right.event.body })).issue.status).toBe('fixed')
})

test('a plan is previewed: what its tasks can detect, and which rules cannot pass', async () => {
  const { client } = service
  const rules = [
    { key: 'not-worse', kind: 'non_inferiority' as const, margin: 0.05 },
    { key: 'errors', kind: 'max_error_rate' as const, threshold: 0.1 },
  ]
  const preview = (tasks: number) => client.call('previewReleasePlan', { body: { groups: [{ key: 'all', tasks }], rules } })
  const [few, many] = [await preview(20), await preview(2000)]
  // Twenty tasks without an error show at most 13.9 %.
  expect(few.cautions).toEqual([expect.stringMatching(/"errors" cannot pass.*13\.9 %.*29 tasks are needed/)])
  expect(many.cautions).toEqual([])
  const [small, large] = [few.detectable[0]?.margin ?? 0, many.detectable[0]?.margin ?? 0]
  expect(small / large).toBeCloseTo(10, 9)
  const planned = await plan({ rules }, { baseline: managed('assay/oracle-50') })
  expect(planned.detectable).toEqual(few.detectable)
  // Found by the fuzz: their sum is a number of tasks.
  const groups = Array.from({ length: 50 }, (_, i) => ({ key: `g${i}`, tasks: 1_000_000_000 }))
  expect((await client.call('previewReleasePlan', { body: { groups, rules } })).tasks).toBe(50_000_000_000)
  const beyond = { groups: [{ key: 'all', tasks: Number.MAX_SAFE_INTEGER }], rules }
  expect((await client.refusal('previewReleasePlan', { body: beyond })).detail[0]?.loc).toEqual(['body', 'groups', 0, 'tasks'])
})

test('finished runs are sides: of the tasks that they ran, marked as seen before the plan, and nothing is run again', async () => {
  const { client } = service
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const finished = async (route_id: string, sample_count: number) => {
    const coverage = { mode: 'sample' as const, sample_count, seed: 3 }
    const { id } = await quote(client, { model: { kind: 'managed', route_id }, profiles, coverage })
    return runToEnd(client, service.baseUrl, (await submit(client, id, route_id)).id)
  }
  const [better, worse, other] = [
    await finished('assay/oracle-90', 40),
    await finished('assay/oracle-50', 40),
    await finished('assay/oracle-50', 30),
  ]
  const groups = [{ key: 'all', title: 'All', weight: 1, selection: { run_id: better.id } }]
  const suite = await client.call('createReleaseSuite', { body: { name: 'Of a run', groups } })
  expect(suite).toMatchObject({ tasks: 40, groups: [{ profile_id: profiles[0] }] })
  const side = (label: string, id: string) => ({ label, run_ids: { all: id } })
  const body = {
    name: 'Adopted',
    candidate: side('90', better.id),
    baseline: side('50', worse.id),
    suite_version_id: suite.id,
    policy_id: (await policy({ rules: [{ kind: 'superiority', key: 'better' }], human: { required: false } })).id,
    max_charge_microusd: '0',
  }
  const decision = await client.call('createReleaseDecision', { body })
  expect(decision.evaluations).toMatchObject([
    { side: 'candidate', run_id: better.id, adopted: true, seen_before_plan: true },
    { side: 'baseline', run_id: worse.id, adopted: true, seen_before_plan: true },
  ])
  const { items: before } = await client.call('listRuns', { query: { archived: 'any' } })
  const ended = await advanceFully(service, decision.id)
  expect(ended).toMatchObject({ recommendation: 'approve', rules: [{ key: 'better', n: 40 }] })
  expect((await client.call('listRuns', { query: { archived: 'any' } })).items).toHaveLength(before.length)

  const refusal = (change: object) => client.refusal('createReleaseDecision', { body: { ...body, ...change } })
  expect(await refusal({ baseline: side('50', other.id) })).toMatchObject({ status: 422, message: expect.stringMatching(/other tasks/) })
  const mixed = { ...side('50', worse.id), model: { kind: 'managed', route_id: 'assay/oracle-50' } }
  expect(await refusal({ baseline: mixed })).toMatchObject({ status: 422 })
})
