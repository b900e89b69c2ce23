import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { releaseDecisionsEndpoints } from '../../src/contract/releases/decisions.endpoints.ts'
import type { Decision } from '../../src/contract/releases/decisions.schemas.ts'
import { verifyFile, verifyRecord } from '../../src/headless/verify.ts'
import { advanceFully, startAndFollow, type NewDecisionBody, type PolicyBody } from '../support/releases.ts'
import { runToEnd } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A signed file says of which type it is. */
const Typed = z.looseObject({ _type: z.string() })
const oracle = { kind: 'managed', route_id: 'assay/oracle-75' } as const
const echo = { kind: 'managed', route_id: 'assay/echo' } as const
/** Answers alike in every run: 3 of the 60 tasks of "main" right, and none of "critical". */
const majority = { kind: 'managed', route_id: 'assay/majority' } as const
let service: TestService
let source: string
let suiteId: string

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  source = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? ''
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `awp-${String(from + i).padStart(4, '0')}`)
  const group = (key: string, weight: number, critical: boolean, from: number, to: number) => ({
    key,
    title: key,
    weight,
    critical,
    selection: { task_selections: [{ source_ref: source, split: 'test' as const, task_ids: ids(from, to) }] },
  })
  suiteId = (
    await client.call('createReleaseSuite', {
      body: { name: 'Math', groups: [group('main', 3, false, 1, 61), group('critical', 1, true, 61, 81)] },
    })
  ).id
})
afterAll(() => service.close())

const policy = (body: Partial<PolicyBody> & Pick<PolicyBody, 'rules'>) =>
  service.client.call('createReleasePolicy', { body: { name: 'Ship', ...body } })
const plan = async (policyId: string, more: Partial<NewDecisionBody> = {}) =>
  service.client.call('createReleaseDecision', {
    body: {
      name: 'Release 7',
      candidate: { label: 'oracle', model: oracle },
      suite_version_id: suiteId,
      policy_id: policyId,
      max_charge_microusd: '0',
      ...more,
    },
  })
const verdict = (decision: Decision, value: 'approve' | 'reject' | 'inconclusive', more = {}) => ({
  body: { target: { decision_id: decision.id }, verdict: value, ...more },
})

describe('a release decision', () => {
  test('goes from a plan to an approved, signed record that is checked offline', async () => {
    const { client } = service
    const { id: policyId } = await policy({
      rules: [
        { kind: 'min_score', key: 'score', threshold: 0.5 },
        { kind: 'superiority', key: 'better', delta: 0.1 },
        { kind: 'non_inferiority', key: 'not-worse', margin: 0.1, group: 'main' },
        { kind: 'no_critical_regression', key: 'critical' },
        { kind: 'max_error_rate', key: 'errors', threshold: 0.1 },
        { kind: 'max_cost', key: 'cost', max_microusd_per_task: '10' },
        { kind: 'max_latency', key: 'latency', quantile: 0.9, max_ms: 60_000 },
        { kind: 'min_coverage', key: 'graded', of: 'samples', share: 1 },
        { kind: 'open_issues', key: 'issues', severity: 'high' },
      ],
    })
    const planned = await plan(policyId, { baseline: { label: 'echo', model: echo } })
    expect(planned).toMatchObject({ status: 'draft', attempt: null, rules: null, missing: [], evaluations: [], record: null })
    expect(planned.detectable.map(({ rule }) => rule)).toEqual(['better', 'not-worse', 'critical'])
    expect((await client.refusal('getReleaseRecord', { params: { decision_id: planned.id }, query: {} })).code).toBe('result_not_ready')
    const decision = await advanceFully(service, planned.id)
    expect(decision.rules?.map(({ key, verdict: found }) => [key, found])).toEqual([
      ['score', 'pass'],
      ['better', 'pass'],
      ['not-worse', 'pass'],
      ['critical', 'pass'],
      ['errors', 'pass'],
      ['cost', 'pass'],
      ['latency', 'pass'],
      ['graded', 'pass'],
      ['issues', 'pass'],
    ])
    expect(decision).toMatchObject({ status: 'awaiting_human', recommendation: 'approve', attempt: 1, alpha: 0.05 })
    expect(decision.missing).toMatchObject([{ code: 'human_verdict' }])
    expect(decision.evaluations).toHaveLength(4)

    // A key may not decide, and a verdict against the recommendation is not allowed by this policy.
    expect((await service.keyClient.refusal('createReleaseLabel', verdict(decision, 'approve'))).code).toBe('human_approval_required')
    expect((await client.refusal('createReleaseLabel', verdict(decision, 'reject'))).code).toBe('conflict')
    await client.call('createReleaseLabel', verdict(decision, 'approve', { rationale: 'Every rule passes.' }))
    const closed = await client.call('advanceReleaseDecision', { params: { decision_id: decision.id } })
    expect(closed).toMatchObject({ status: 'approved', missing: [], record: { newer_results: false } })
    expect((await client.refusal('advanceReleaseDecision', { params: { decision_id: decision.id } })).code).toBe('illegal_transition')
    expect((await client.refusal('createReleaseLabel', verdict(decision, 'approve'))).code).toBe('illegal_transition')

    const record = async (format: string) => {
      const reply = await service.fetch(`/v1/releases/decisions/${decision.id}/record?format=${format}`)
      return new Uint8Array(await reply.arrayBuffer())
    }
    const signed = await record('dsse')
    expect(Buffer.from(await record('dsse')).equals(signed)).toBe(true)
    const { fileExamples } = releaseDecisionsEndpoints.getReleaseRecord
    for (const [example, real] of [
      [fileExamples['application/json'], await record('json')],
      [fileExamples['application/vnd.in-toto+dsse'], signed],
    ] as const) {
      const [shown, written] = [example, Buffer.from(real).toString()].map(text => Typed.parse(JSON.parse(text)))
      expect(written?._type).toBe(shown?._type)
      expect(Object.keys(written ?? {})).toEqual(expect.arrayContaining(Object.keys(shown ?? {})))
    }
    const page = Buffer.from(await record('html')).toString()
    expect(page).toContain('Release decision: Release 7')
    expect(page).toMatch(/<svg[^>]* aria-label="Estimate \d[^"]*, at least [^"]* \(one-sided, 95 %\), the rule asks for at least 50\.0 %/)
    const fingerprint = /key ([0-9a-f]{64})/.exec(verifyRecord(signed, null).message)?.[1] ?? ''
    expect(verifyRecord(signed, null).outcome).toBe('unknown_signer')
    expect(verifyRecord(signed, fingerprint).outcome).toBe('valid')
    expect(verifyRecord(signed, 'a'.repeat(64)).outcome).toBe('invalid')
    const file = join(service.dataDir, 'record.json')
    writeFileSync(file, signed)
    expect([verifyFile(file, null), verifyFile(file, fingerprint)]).toEqual(['unknown_signer', 'valid'])

    // One flipped bit anywhere makes it invalid; every 13th byte keeps the test short.
    const survivors: number[] = []
    for (let at = 0; at < signed.length; at += 13) {
      const flipped = Uint8Array.from(signed)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      if (verifyRecord(flipped, fingerprint).outcome !== 'invalid') survivors.push(at)
    }
    expect(survivors).toEqual([])
    expect(readFileSync(file).equals(signed)).toBe(true)
  })

  test('adopts earlier evaluations, counts attempts, chains records and refuses repeats where the policy does', async () => {
    const { client } = service
    const { id: policyId } = await policy({ rules: [{ kind: 'min_score', key: 'score', threshold: 0.99 }], human: { required: false } })
    const first = await advanceFully(service, (await plan(policyId)).id)
    expect(first).toMatchObject({ status: 'rejected', recommendation: 'reject', attempt: 1 })
    const ids = Object.fromEntries(first.evaluations.map(({ group, evaluation_id }) => [group, evaluation_id ?? '']))
    const adopted = await plan(policyId, { candidate: { label: 'oracle again', evaluation_ids: ids } })
    const second = await advanceFully(service, adopted.id)
    expect(second).toMatchObject({ status: 'rejected', attempt: 2, committed_microusd: '0' })
    expect(second.evaluations.every(evaluation => evaluation.adopted && evaluation.seen_before_plan)).toBe(true)
    expect(second.cautions.join(' ')).toContain('before the plan')
    expect(second.record?.previous_record_digest).toBe(first.record?.digest)
    const wrong = await client.refusal('createReleaseDecision', {
      body: {
        name: 'x',
        candidate: { label: 'x', evaluation_ids: { main: ids['critical'] ?? '', critical: ids['main'] ?? '' } },
        suite_version_id: suiteId,
        policy_id: policyId,
        max_charge_microusd: '0',
      },
    })
    expect(wrong).toMatchObject({ status: 422, detail: [{ loc: ['body', 'candidate', 'evaluation_ids', 'main'], type: 'other_tasks' }] })

    // Answers compared with themselves would be shown not to be worse.
    const itself = { label: 'itself', evaluation_ids: ids }
    const same = await client.refusal('createReleaseDecision', {
      body: {
        name: 'x',
        candidate: itself,
        baseline: itself,
        suite_version_id: suiteId,
        policy_id: policyId,
        max_charge_microusd: '0',
      },
    })
    expect(same.detail[0]).toMatchObject({ loc: ['body', 'baseline', 'evaluation_ids', 'main'], type: 'same_evaluation' })

    const { id: strict } = await policy({
      rules: [{ kind: 'min_score', key: 'score', threshold: 0.99 }],
      repeat: 'refuse',
      human: { required: false },
    })
    await advanceFully(service, (await plan(strict, { candidate: { label: 'a', evaluation_ids: ids } })).id)
    const again = await plan(strict, { candidate: { label: 'b', evaluation_ids: ids } })
    expect((await client.refusal('advanceReleaseDecision', { params: { decision_id: again.id } })).code).toBe('conflict')
    const { id: spending } = await policy({
      rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }],
      repeat: 'spend',
      human: { required: false },
    })
    for (const k of [1, 2]) {
      const spent = await advanceFully(service, (await plan(spending, { candidate: { label: 'c', evaluation_ids: ids } })).id)
      expect(spent.alpha).toBeCloseTo((6 * 0.05) / (Math.PI ** 2 * k ** 2), 12)
    }
  })

  test('confirms suspected critical regressions by new answers, past the cache', async () => {
    const { id: policyId } = await policy({
      rules: [{ kind: 'no_critical_regression', key: 'critical', confirm_epochs: 3 }],
      human: { required: false },
    })
    const planned = await plan(policyId, {
      candidate: { label: 'echo', model: echo },
      baseline: { label: 'oracle', model: oracle },
    })
    const decision = await advanceFully(service, planned.id)
    expect(decision).toMatchObject({ status: 'rejected', rules: [{ verdict: 'fail' }] })
    const confirming = decision.evaluations.filter(({ purpose }) => purpose === 'confirm')
    expect(confirming.map(({ side, group }) => `${side} ${group}`).sort()).toEqual(['baseline critical', 'candidate critical'])
    const run = await service.client.call('getRun', { params: { run_id: confirming[0]?.run_id ?? '' } })
    expect(run.execution).toMatchObject({ epochs: 3, cache: false })
  })

  test('looks at nested stages and stops at the first that decides', async () => {
    const { id: policyId } = await policy({
      rules: [{ kind: 'min_score', key: 'score', threshold: 0.1 }],
      looks: 3,
      human: { required: false },
    })
    const decision = await advanceFully(service, (await plan(policyId)).id)
    expect(decision).toMatchObject({ status: 'approved', looks: 3, look: 1 })
    expect(decision.rules?.[0]?.n).toBe(27)
    expect(decision.rules?.[0]?.statistic?.alpha).toBeLessThan(0.001)
  })

  test('continues by itself through later looks, confirmations and its end', async () => {
    const { client } = service
    const { id: policyId } = await policy({
      rules: [
        { kind: 'min_score', key: 'score', threshold: 0.04 },
        { kind: 'max_error_rate', key: 'errors', threshold: 0.2 },
      ],
      looks: 2,
      human: { required: false },
    })
    const candidate = { label: 'majority', model: majority }
    const decision = await startAndFollow(service, (await plan(policyId, { candidate })).id)
    expect(decision).toMatchObject({ status: 'inconclusive', look: 2, missing: [] })
    expect(decision.evaluations.map(({ look }) => look).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2])
    const jobs = async () => {
      const { items } = await client.call('listJobs', { query: { limit: 100 } })
      return new Set(items.filter(({ subject }) => subject?.id === decision.id).map(({ kind, state }) => `${kind} ${state}`))
    }
    await expect.poll(jobs).toEqual(new Set(['release_step succeeded', 'release_analysis succeeded']))

    const { id: strict } = await policy({ rules: [{ kind: 'no_critical_regression', key: 'critical' }], human: { required: false } })
    const sides = { candidate: { label: 'echo', model: echo }, baseline: { label: 'oracle', model: oracle } }
    const confirmed = await startAndFollow(service, (await plan(strict, sides)).id)
    expect(confirmed.status).toBe('rejected')
    expect(confirmed.evaluations.filter(({ purpose }) => purpose === 'confirm')).toHaveLength(2)
  })

  test('is cancelled immediately in any state, with a record', async () => {
    const { client } = service
    const { id: policyId } = await policy({ rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }] })
    const { id } = await plan(policyId)
    const { evaluations } = await client.call('advanceReleaseDecision', { params: { decision_id: id } })
    const cancelled = await client.call('cancelReleaseDecision', { params: { decision_id: id } })
    expect(cancelled).toMatchObject({ status: 'cancelled', record: { newer_results: false } })
    for (const { run_id: runId } of evaluations) if (runId !== null) await runToEnd(client, service.baseUrl, runId)
    expect((await client.refusal('cancelReleaseDecision', { params: { decision_id: id } })).code).toBe('illegal_transition')
    expect((await client.call('listReleaseDecisions', { query: { status: 'cancelled' } })).items.map(item => item.id)).toContain(id)
  })

  test('accepts a label with a lone surrogate as stored', async () => {
    const { id: policyId } = await policy({ rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }] })
    const made = await plan(policyId, { candidate: { label: 'cut \ud83d', model: oracle } })
    expect(made.candidate).toBe('cut \ufffd')
    expect(await service.client.call('getReleaseDecision', { params: { decision_id: made.id } })).toEqual(made)
  })

  test('needs a baseline for paired rules and a model or evaluations for rules on answers', async () => {
    const { id: policyId } = await policy({ rules: [{ kind: 'superiority', key: 'better' }] })
    const refusal = (more: Partial<NewDecisionBody>) =>
      service.client.refusal('createReleaseDecision', {
        body: {
          name: 'x',
          candidate: { label: 'x', model: oracle },
          suite_version_id: suiteId,
          policy_id: policyId,
          max_charge_microusd: '0',
          ...more,
        },
      })
    expect((await refusal({})).detail[0]?.loc).toEqual(['body', 'baseline'])
    expect((await refusal({ candidate: { label: 'x' }, baseline: { label: 'y', model: oracle } })).detail[0]?.loc).toEqual([
      'body',
      'candidate',
      'model',
    ])
    expect(
      (
        await refusal({
          evidence: [{ evidence_id: crypto.randomUUID(), analysis: 1, side: 'candidate' }],
          baseline: { label: 'y', model: oracle },
        })
      ).code,
    ).toBe('not_found')
  })
})
