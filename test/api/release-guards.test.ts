import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ExecutionSettings } from '../../src/contract/quotes/quotes.schemas.ts'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { pricedRoute } from '../support/priced-quote.ts'
import { advanceFully, type NewDecisionBody, type PolicyBody } from '../support/releases.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

const oracle = { kind: 'managed', route_id: 'assay/oracle-90' } as const
let service: TestService
let suiteId: string

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  const source = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const task_ids = Array.from({ length: 20 }, (_, i) => `awp-${String(i + 1).padStart(4, '0')}`)
  const selection = { task_selections: [{ source_ref: source, split: 'test' as const, task_ids }] }
  const groups = [{ key: 'all', title: 'All', weight: 1, critical: false, selection }]
  suiteId = (await client.call('createReleaseSuite', { body: { name: 'Twenty', groups } })).id
})
afterAll(() => service.close())

const policy = async (body: Partial<PolicyBody>) =>
  (
    await service.client.call('createReleasePolicy', {
      body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.3 }], ...body },
    })
  ).id
const body = (policyId: string, more: Partial<NewDecisionBody> = {}): NewDecisionBody => ({
  name: 'Release',
  candidate: { label: 'oracle', model: oracle },
  suite_version_id: suiteId,
  policy_id: policyId,
  max_charge_microusd: '0',
  ...more,
})
const plan = async (policyId: string, more: Partial<NewDecisionBody> = {}, client = service.client) =>
  client.call('createReleaseDecision', { body: body(policyId, more) })
const approve = (decision: Pick<Decision, 'id'>) => ({ body: { target: { decision_id: decision.id }, verdict: 'approve' as const } })

describe('a plan', () => {
  test('that waits for more labels than there are samples is refused with both numbers', async () => {
    const policyId = await policy({ rules: [{ kind: 'min_labels', key: 'labels', min_n: 41 }] })
    const refused = await service.client.refusal('createReleaseDecision', {
      body: body(policyId, { execution: ExecutionSettings.parse({ epochs: 2 }) }),
    })
    expect(refused).toMatchObject({ code: 'validation_error', detail: [{ type: 'too_few_samples', loc: ['body', 'policy_id'] }] })
    expect(refused.message).toContain('needs 41 labels, and the candidate has only 40 samples')
    const enough = await policy({ rules: [{ kind: 'min_labels', key: 'labels', min_n: 20 }] })
    expect((await plan(enough)).status).toBe('draft')
  })

  test('warns of rules that cannot pass on its tasks', async () => {
    const policyId = await policy({
      rules: [
        { kind: 'min_score', key: 'score', threshold: 0.95 },
        { kind: 'max_error_rate', key: 'errors', threshold: 0.2 },
      ],
    })
    const { cautions } = await plan(policyId)
    expect(cautions).toHaveLength(1)
    expect(cautions[0]).toMatch(/^The rule "score" cannot pass: .* 59 tasks are needed, and there are 20\.$/)
  })
})

describe('a policy that wants another person than the author', () => {
  test('keeps whoever made the key from deciding what the key created', async () => {
    const { client } = service
    const { key } = await client.call('createApiKey', {
      body: { name: 'ci', scopes: ['releases:write', 'releases:read', 'runs:write', 'runs:read'] },
    })
    const byKey = clientFor(service.baseUrl, key, service.workspaceId)
    const policyId = await policy({ human: { required: true, approvals: 1, not_author: true, override: 'never' } })
    const decision = await advanceFully(service, (await plan(policyId, {}, byKey)).id)
    expect(decision).toMatchObject({ status: 'awaiting_human', recommendation: 'approve', created_by: { kind: 'key', name: 'ci' } })
    expect(decision.missing).toMatchObject([{ code: 'human_verdict', message: 'Approval is recommended. 0 of 1 approval so far.' }])
    const refused = await client.refusal('createReleaseLabel', approve(decision))
    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('you made the key "ci"') })
    const own = await advanceFully(service, (await plan(policyId)).id)
    expect((await client.refusal('createReleaseLabel', approve(own))).message).toContain('other than the author of the decision')
  })
})

test('two simultaneous advances start each evaluation once', async () => {
  const { id } = await plan(await policy({}))
  const advance = () => service.client.call('advanceReleaseDecision', { params: { decision_id: id } })
  const steps = await Promise.all([advance(), advance()])
  expect(steps.map(({ did }) => did.length).toSorted((a, b) => a - b)).toEqual([0, 1])
  const decision = await advanceFully(service, id)
  expect(decision.evaluations).toHaveLength(1)
  expect(decision).toMatchObject({ status: 'awaiting_human', attempt: 1 })
  const { items } = await service.client.call('listRuns', { query: { limit: 100 } })
  const own = items.filter(run => decision.evaluations.some(({ run_id }) => run_id === run.id))
  expect(own).toHaveLength(1)
})

test('an advance that the wallet cannot pay leaves the draft and names the credit', async () => {
  const { models, routeId } = await pricedRoute(service)
  onTestFinished(() => models.close())
  const decision = await plan(await policy({}), {
    candidate: { label: 'priced', model: { kind: 'managed', route_id: routeId } },
    max_charge_microusd: '100000000000',
    execution: ExecutionSettings.parse({ max_output_tokens: 100_000 }),
  })
  const advance = () => service.client.call('advanceReleaseDecision', { params: { decision_id: decision.id } })
  await advance()
  const step = await advance()
  // Nothing was started, so that it may still be deleted, and its policy does not count it.
  expect(step).toMatchObject({ status: 'draft', did: [], attempt: null, missing: [{ code: 'credit' }] })
  expect(step.evaluations.filter(({ run_id }) => run_id !== null)).toEqual([])
})
