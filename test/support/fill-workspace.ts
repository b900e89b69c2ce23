import { randomUUID } from 'node:crypto'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { hashToken, newToken } from '../../src/service/auth/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { answersEnd, sendAnswers } from './answers.ts'
import { frozenVersion, jobEnd } from './judging.ts'
import { makePng } from './media.ts'
import { checkedPackage, sums } from './packages.ts'
import { profileId, quote, runToEnd, submit } from './runs.ts'
import { clientFor, type TestClient, type TestService } from './service.ts'
import { connect, startProvider } from './trace-providers/connected.ts'
import { newSession } from './tuning.ts'
import { importEnd, upload } from '../api/imports-upload.ts'

export interface Stranger {
  readonly client: TestClient
  readonly workspaceId: string
  readonly personId: string
}

/** A person with a workspace that nobody else belongs to. */
export async function strangerTo({ baseUrl, dataDir, client, workspaceId }: TestService): Promise<Stranger> {
  const { member } = await client.call('inviteMember', { body: { name: 'Stranger' } })
  const { id } = await clientFor(baseUrl, signIn(member.id), workspaceId).call('createWorkspace', { body: { name: 'Other' } })
  await client.call('removeMember', { params: { member_id: member.id }, query: { owned_workspaces: 'keep' } })
  // Being removed has signed them out.
  return { client: clientFor(baseUrl, signIn(member.id), id), workspaceId: id, personId: member.id }

  function signIn(personId: string): string {
    const token = newToken('asn_')
    const db = openDatabase(`${dataDir}/assay.db`)
    const [created, expires] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()]
    db.run(
      db.sql.insertInto('sessions').values({
        id: randomUUID(),
        person_id: personId,
        token_hash: hashToken(token),
        kind: 'browser',
        created_at: created,
        expires_at: expires,
        ended_at: null,
      }),
    )
    db.close()
    return token
  }
}

/** One of everything that a path can name. Answers their ids, by the name of the path parameter. */
export async function fillWorkspace(service: TestService, { client, workspaceId, personId }: Stranger): Promise<Record<string, string>> {
  const connection = await client.call('createConnection', {
    body: { name: 'theirs', base_url: 'http://127.0.0.1:29999/v1', model: 'm', api_key: 'sk-theirs-1234' },
  })
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/first-option' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 3, seed: 1 },
  })
  const run = await runToEnd(client, service.baseUrl, (await submit(client, quoteId)).id)
  const samples = await client.call('listSamples', { params: { run_id: run.id } })
  const again = await runToEnd(client, service.baseUrl, (await submit(client, quoteId)).id)
  const group = await client.call('createRunGroup', { body: { name: 'theirs', quote_ids: [quoteId], max_charge_microusd: '0' } })
  await runToEnd(client, service.baseUrl, group.runs[0]?.run.id ?? '')
  const note = await client.call('createNote', { params: { run_id: run.id }, body: { note: 'theirs' } })
  const comparison = await client.call('createComparison', { body: { name: 'theirs', run_ids: [run.id, again.id], baseline_id: run.id } })
  const { source_ref } = await client
    .call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
    .then(({ profiles }) => ({ source_ref: profiles[0]?.source_ref ?? '' }))
  const suite = await client.call('createSuite', {
    body: { name: 'theirs', task_selections: [{ source_ref, split: 'test', task_ids: ['awp-0001'] }] },
  })
  const evaluation = await client.call('createEvaluation', {
    body: {
      name: 'theirs',
      model: { kind: 'managed', route_id: 'assay/first-option' },
      suite_version_id: suite.id,
      max_charge_microusd: '0',
    },
  })
  await runToEnd(client, service.baseUrl, evaluation.run_id)
  const world = await client.call('createEnvironment', { body: worldsExamples.createEnvironment })
  const key = await client.call('createApiKey', { body: { name: 'theirs', scopes: ['runs:read'], ceiling_microusd: '5' } })
  const purchase = await client.call('createPurchase', { body: { amount_microusd: '5' } })
  const report = await client.call('sendFeedback', { body: { kind: 'bug', severity: 'blocker', summary: 'theirs' } })
  const sessions = await client.call('listSessions', {})
  const theirs = { ...service, client }
  const frozen = await frozenVersion(client)
  const evaluator = await client.call('createEvaluator', {
    body: { name: 'theirs', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  })
  const monitor = await client.call('createTuneMonitor', {
    body: { name: 'theirs', profile_id: profile, baseline: { run_id: run.id }, max_charge_microusd: '0', max_monthly_microusd: '0' },
  })
  const calibration = await client.call('createCalibration', {
    body: { evaluator_version_id: evaluator.id, dataset_version_id: frozen.versionId },
  })
  const draft = await client.call('createEvaluatorDraft', { body: { dataset_version_id: frozen.versionId, mode: 'heuristic' } })
  const scorer = await client.call('createRemoteScorer', { body: { name: 'theirs', url: 'http://127.0.0.1:28123/' } })
  const schedule = await client.call('createSchedule', {
    body: {
      name: 'theirs',
      cron: '0 3 1 1 *',
      terms: {
        models: [{ kind: 'managed', route_id: 'assay/first-option' }],
        selection: { profile_ids: [profile] },
        coverage: { mode: 'sample', sample_count: 3, seed: 1 },
        max_charge_microusd: '0',
      },
      max_monthly_microusd: '0',
    },
  })
  const webhook = await client.call('createWebhook', { body: { name: 'theirs', url: 'http://127.0.0.1:28123/' } })
  const delivery = await client.call('testWebhook', { params: { webhook_id: webhook.id } })
  // Whoever looks whether anything changed must not find their own work still under way.
  await jobEnd(client, calibration.job_id)
  await jobEnd(client, draft.job_id)
  const reply = await upload(service, {
    fields: { format: 'jsonl', name: 'Theirs alone' },
    files: [
      {
        name: 'data.jsonl',
        content: [1, 2, 3].map(i => JSON.stringify({ question: `What is number ${i}?`, answer: String(i) })).join('\n'),
      },
    ],
    headers: client.headers,
  })
  const imported = await importEnd(theirs, ((await reply.json()) as { id: string }).id) // imports.test.ts checks the shape
  const provider = await startProvider('langfuse', [])
  const integration = await connect(client, 'langfuse', provider.url)
  await provider.close()
  const span = { traceId: '1'.repeat(32), spanId: '1'.repeat(16), name: 'theirs', startTimeUnixNano: '1700000000000000000' }
  await fetch(`${service.baseUrl}/v1/traces`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  })
  const traces = await client.call('listTraces', {})
  const worldDraft = await client.call('startEnvironmentDraft', { body: { trace_ids: traces.items.map(({ id }) => id) } })
  const theirPackage = await checkedPackage(client, sums(20))
  await client.call('createPackageReview', { params: { package_id: theirPackage.id }, body: { outcome: 'approve', note: 'ours' } })
  const accepted = await client.call('getPackage', { params: { package_id: theirPackage.id } })
  const dataset = await fillDataset(client)
  const picture = new FormData()
  picture.append('file', new Blob([makePng([1, 2, 3])]), 'theirs.png')
  const stored = await fetch(`${service.baseUrl}/v1/media`, { method: 'POST', headers: client.headers, body: picture })
  const outputs = [{ name: 'outputs.jsonl', content: '{"task_id": "awp-0001", "output": "1"}' }]
  const answers = await sendAnswers(service, { profile_id: profile, model: 'theirs' }, outputs, client.headers)
  const answerImport = await answersEnd(theirs, ((await answers.json()) as { id: string }).id) // answers.test.ts checks the shape
  const released = await fillReleases(client, source_ref)
  const tuned = await fillTuning(client)
  return {
    environment_version_id: world.id,
    environment_draft_id: worldDraft.id,
    source_ref,
    ...released,
    ...tuned,
    format: 'junit',
    integration_id: integration.id,
    trace_id: traces.items[0]?.id ?? '',
    package_id: theirPackage.id,
    profile_id: accepted.profile_ids[0] ?? '',
    workspace_id: workspaceId,
    job_id: imported.job_id ?? '',
    answer_import_id: answerImport.id,
    member_id: personId,
    session_id: sessions.items[0]?.id ?? '',
    connection_id: connection.id,
    quote_id: quoteId,
    run_id: run.id,
    run_group_id: group.id,
    schedule_id: schedule.id,
    webhook_id: webhook.id,
    delivery_id: delivery.id,
    note_id: note.id,
    monitor_id: monitor.id,
    evaluator_version_id: evaluator.id,
    calibration_id: calibration.id,
    draft_id: draft.id,
    remote_scorer_id: scorer.id,
    dataset_version_id: frozen.versionId,
    dataset_id: frozen.datasetId,
    example_id: frozen.exampleId,
    version_id: frozen.versionId,
    comparison_id: comparison.id,
    suite_version_id: suite.id,
    evaluation_id: evaluation.id,
    sample_id: samples.items[0]?.id ?? '',
    key_id: key.id,
    purchase_id: purchase.id,
    feedback_id: report.feedback_id,
    ...dataset,
    import_id: imported.id,
    digest: ((await stored.json()) as { digest: string }).digest, // media.test.ts checks the shape
    slug: imported.slug ?? '',
    family: imported.slug ?? '',
  }
}

async function fillReleases(client: TestClient, sourceRef: string): Promise<Record<string, string>> {
  const selection = { task_selections: [{ source_ref: sourceRef, split: 'test' as const, task_ids: ['awp-0001'] }] }
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'theirs', groups: [{ key: 'main', title: 'Main', weight: 1, critical: false, selection }] },
  })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'theirs', rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }] },
  })
  const decision = await client.call('createReleaseDecision', {
    body: {
      name: 'theirs',
      candidate: { label: 'theirs', model: { kind: 'managed', route_id: 'assay/echo' } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  const evidence = await client.call('createEvidence', {
    body: { name: 'theirs', format: 'csv', content: 'task_id,value\nawp-0001,1\n', source: { tool: 'theirs' } },
  })
  const { n } = await client.call('analyzeEvidence', { params: { evidence_id: evidence.id }, body: {} })
  const { issue } = await client.call('createIssueEvent', { body: { type: 'open', title: 'theirs', severity: 'low' } })
  return { decision_id: decision.id, evidence_id: evidence.id, n: String(n), issue_id: issue.id, suite_id: suite.id }
}

/** Under names of their own, since sign-in sessions and quotes of runs have the same path parameters. */
async function fillTuning(client: TestClient): Promise<Record<string, string>> {
  const { id } = await client.call('createTuneSession', { body: newSession() })
  const params = { session_id: id }
  await client.call('approveTuneSession', { params, body: { revision: 1 } })
  const quoted = await client.call('createTuneQuote', {
    params,
    body: {
      candidates: [{ label: 'theirs', model: { kind: 'managed', route_id: 'assay/echo' } }],
      mode: 'full',
      max_charge_microusd: '0',
    },
  })
  return { 'tune-sessions/session_id': id, 'tune-sessions/quote_id': quoted.id }
}

async function fillDataset(client: TestClient): Promise<Record<string, string>> {
  const { id } = await client.call('createDataset', { body: { name: 'theirs', task: 'answer' } })
  const params = { dataset_id: id }
  const { items } = await client.call('addExamples', { params, body: { examples: [{ input: 'theirs', output: 'theirs' }] } })
  const example = { ...params, example_id: items[0]?.example_id ?? '' }
  await client.call('reviewExample', { params: example, body: { revision: 1, decision: 'approve' } })
  const version = await client.call('createDatasetVersion', { params, body: {} })
  const scan = await client.call('createDatasetScan', { params, body: { kinds: ['secrets'] } })
  return { ...example, version_id: version.id, scan_id: scan.id }
}
