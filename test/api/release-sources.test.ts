import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { calibrated, frozenVersion } from '../support/judging.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let source_ref: string
let taskIds: readonly string[]
beforeAll(async () => {
  service = await startTestService()
  const { latest_version } = await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  source_ref = latest_version?.source_ref ?? ''
  const { items } = await service.client.call('listTasks', { query: { source_ref, limit: 40 } })
  taskIds = items.map(task => task.task_id)
})
afterAll(() => service.close())

/** A decision on one external rule that rests on an Inspect log of this status. */
async function decideOn(status: string): Promise<Decision> {
  const { client } = service
  const task_selections = [{ source_ref, split: 'test' as const, task_ids: [...taskIds] }]
  const groups = [{ key: 'all', title: 'All', weight: 1, selection: { task_selections } }]
  const suite = await client.call('createReleaseSuite', { body: { name: 'External', groups } })
  const rules = [{ key: 'score', kind: 'min_score' as const, threshold: 0.5, source: 'external' as const }]
  const policy = await client.call('createReleasePolicy', { body: { name: status, rules } })
  const samples = taskIds.map(id => ({ id, epoch: 1, scores: { match: { value: 'C' } } }))
  const content = JSON.stringify({ status, eval: { task: 't', model: 'm' }, samples })
  const evidence = await client.call('createEvidence', { body: { name: status, format: 'inspect', content, source: { tool: 'Inspect' } } })
  const params = { evidence_id: evidence.id }
  const { n } = await client.call('analyzeEvidence', { params, body: { suite_version_id: suite.id, side: 'candidate' } })
  const { id } = await client.call('createReleaseDecision', {
    body: {
      name: status,
      candidate: { label: 'Candidate', model: { kind: 'managed', route_id: 'assay/oracle-90' } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
      evidence: [{ evidence_id: evidence.id, analysis: n, side: 'candidate', confirmed_label: 'm' }],
    },
  })
  for (;;) {
    const step = await client.call('advanceReleaseDecision', { params: { decision_id: id } })
    if (step.status === 'awaiting_human') return step
    for (const { run_id } of step.evaluations) if (run_id !== null) await runToEnd(client, service.baseUrl, run_id)
  }
}

describe('a decision', () => {
  test('rests on imported evidence', async () => {
    const { rules, recommendation, plan } = await decideOn('success')
    expect(rules).toMatchObject([{ verdict: 'pass', estimate: 1, n: 40 }])
    expect(recommendation).toBe('approve')
    expect(plan.evidence).toMatchObject([{ analysis: 1, side: 'candidate' }])
  })

  test('takes evidence of another label once a person confirms it, and says so in plan and rule', async () => {
    const { rules, plan } = await decideOn('success')
    expect(plan.evidence).toMatchObject([{ label: 'm', confirmed_label: 'm', confirmed_by: { kind: 'person' } }])
    expect(rules?.[0]?.detail).toMatch(/The evidence of the candidate is about "m", which .* confirmed to be the candidate\./)
    const [{ evidence_id, analysis } = { evidence_id: '', analysis: 0 }] = plan.evidence
    const body = {
      name: 'unconfirmed',
      candidate: { label: 'Candidate', model: { kind: 'managed' as const, route_id: 'assay/oracle-90' } },
      suite_version_id: plan.suite.id,
      policy_id: plan.policy.id,
      max_charge_microusd: '0',
      evidence: [{ evidence_id, analysis, side: 'candidate' as const }],
    }
    const refused = await service.client.refusal('createReleaseDecision', { body })
    expect(refused).toMatchObject({
      status: 422,
      message: expect.stringMatching(/the file is about "m", and the candidate is "Candidate"/),
    })
    const own = { ...body, candidate: { ...body.candidate, label: 'M' } }
    expect((await service.client.call('createReleaseDecision', { body: own })).plan.evidence[0]).not.toHaveProperty('confirmed_by')
    const key = await service.client.call('createApiKey', { body: { name: 'ci', scopes: ['releases:read', 'releases:write'] } })
    const confirmed = { ...body, evidence: [{ evidence_id, analysis, side: 'candidate', confirmed_label: 'm' }] }
    const reply = await service.fetch('/v1/releases/decisions', {
      method: 'POST',
      body: JSON.stringify(confirmed),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.key}` },
    })
    expect(await reply.json()).toMatchObject({ error: { code: 'human_approval_required' } })
  })

  test('is blocked by a cancelled log, which gives no figures', async () => {
    const { rules, recommendation } = await decideOn('cancelled')
    expect(rules).toMatchObject([{ verdict: 'inconclusive', estimate: null, detail: expect.stringMatching(/No evidence has figures/) }])
    expect(recommendation).toBe('inconclusive')
  })

  test('takes no evidence, analysis or calibration that does not exist', async () => {
    const { client } = service
    const unknown = '01890000-0000-7000-8000-000000000000'
    const { items } = await client.call('listReleaseDecisions', { query: {} })
    const [known] = items
    const body = {
      name: 'x',
      candidate: { label: 'c', model: { kind: 'managed' as const, route_id: 'assay/oracle-90' } },
      suite_version_id: known?.suite_version_id ?? '',
      policy_id: known?.policy_id ?? '',
      max_charge_microusd: '0',
    }
    const evidence = [{ evidence_id: unknown, analysis: 1, side: 'candidate' as const }]
    expect((await client.refusal('createReleaseDecision', { body: { ...body, evidence } })).status).toBe(404)
    expect((await client.refusal('createReleaseDecision', { body: { ...body, calibration_ids: [unknown] } })).status).toBe(404)
  })
})

describe('a pinned calibration', () => {
  test('keeps the figures of a resolved one; a run that the evaluator has not graded is refused', async () => {
    const { client, baseUrl } = service
    const { versionId } = await frozenVersion(client)
    const { id: evaluator_version_id } = await client.call('createEvaluator', {
      body: { name: 'exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
    })
    const calibration = await calibrated(client, { evaluator_version_id, dataset_version_id: versionId })
    const pin = (body: object) => client.call('createReleaseCalibration', { body: { name: 'pinned', ...body } })
    expect(await pin({ calibration_id: calibration.id })).toMatchObject({ n: 25, kappa: calibration.kappa, run_id: null })
    const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
    const coverage = { mode: 'sample', sample_count: 4, seed: 1 } as const
    const quoted = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-90' }, profiles, coverage })
    const { id: run_id } = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
    const refused = await client.refusal('createReleaseCalibration', { body: { name: 'x', evaluator_version_id, run_id } })
    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringMatching(/has not graded the run/) })
    const assets = await client.call('listReleaseAssets', { query: { kind: 'calibration' } })
    expect(assets.items).toMatchObject([{ kind: 'calibration', calibration_id: calibration.id }])
  })
})
