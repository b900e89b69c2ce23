import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, type OperationId } from '../../src/contract/api.ts'
import { fillPath } from '../../src/contract/client.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { hashToken, newToken } from '../../src/service/auth/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { answersEnd, sendAnswers } from '../support/answers.ts'
import { frozenVersion, jobEnd } from '../support/judging.ts'
import { makePng } from '../support/media.ts'
import { checkedPackage, sums } from '../support/packages.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'
import { connect, startProvider } from '../support/trace-providers/connected.ts'
import { newSession } from '../support/tuning.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { importEnd, upload } from './imports-upload.ts'

/** A body for each operation that takes one beside ids in its path; it must be valid, so that the ids decide the answer. */
const bodies: Partial<Record<OperationId, unknown>> = {
  attackEnvironment: worldsExamples.attackEnvironment,
  attackDataset: { version_id: randomUUID() },
  tryConnection: { prompt: 'theirs' },
  previewEvidence: {},
  analyzeEvidence: {},
  selectDecisionTasks: {},
  confirmNamespaceKey: { key_fingerprint: 'f'.repeat(64) },
  createDatasetBenchmark: { name: 'mine', evaluator_version_id: randomUUID() },
  createDatasetSuite: { name: 'mine', evaluator_version_id: randomUUID() },
  patchTuneDraft: { revision: 1 },
  approveTuneSession: { revision: 1 },
  createTuneQuote: {
    candidates: [{ label: 'mine', model: { kind: 'managed', route_id: 'assay/echo' } }],
    mode: 'full',
    max_charge_microusd: '0',
  },
  startTuneGroup: { quote_id: randomUUID() },
  patchTuneMonitor: { status: 'paused' },
  changeCalibration: { max_charge_microusd: '1' },
  createTuneMonitorEvent: { type: 'manual' },
  queueTuneWorkload: { outputs: [{ input: 'ours', output: 'ours' }] },
  updateConnection: { name: 'mine now' },
  setKeyCeiling: { ceiling_microusd: null },
  rollApiKey: { overlap: 'none' },
  triageFeedback: { status: 'triaged' },
  renameWorkspace: { name: 'mine now' },
  setMemberRole: { role: 'owner' },
  createPackageReview: { outcome: 'approve', note: 'mine now' },
  quarantinePackage: { note: 'mine now' },
  changeRun: { name: 'mine now' },
  changeAnnotations: { bookmarked: true },
  createNote: { note: 'mine now' },
  changeNote: { note: 'mine now' },
  retrySamples: { sample_ids: [randomUUID()] },
  prepareRunExport: { format: 'csv' },
  regradeRun: {},
  reconnectTraceIntegration: { host: 'http://127.0.0.1:9', public_key: 'pk', secret_key: 'sk' },
  reconnectWorkloadTraceIntegration: { access_key: 'sk' },
  backfillTraces: { from: '2026-01-01T00:00:00Z' },
  addWorkloadSource: { integration_id: randomUUID(), kind: 'dataset', resource_id: 'x' },
  addTraceSource: { trace_ids: [randomUUID()] },
  updateDataset: { name: 'mine now' },
  addExamples: { examples: [{ input: 'mine' }] },
  reviseExample: { base_revision: 1, output: 'mine' },
  labelExample: { revision: 1, value: 'pass' },
  reviewExample: { revision: 1, decision: 'reject' },
  reviewExamples: { examples: [{ example_id: randomUUID(), revision: 1 }], decision: 'reject' },
  createDatasetVersion: {},
  createDatasetImport: {},
  addExamplesFromRun: { run_id: randomUUID() },
  createDatasetScan: {},
  createRegradeQuote: { evaluator_version_id: randomUUID(), max_charge_microusd: '0' },
  updateRemoteScorer: { name: 'mine now' },
  changeSchedule: { name: 'mine now' },
  changeWebhook: { name: 'mine now' },
}

const operations: readonly (readonly [OperationId, Endpoint])[] = Object.entries(api) as [OperationId, Endpoint][] // the keys of the table
// A backup and a folder of models are of the whole machine and no workspace's; backups.test.ts and local-models.test.ts have them. Workers need a queue, so that
// workers.test.ts has them.
const withIds = operations.filter(
  ([, { params }]) => params !== undefined && !['backup_name', 'worker_id', 'folder_id'].some(name => name in params.shape),
)

let service: TestService
/** Real ids of things in the other workspace, by the name of the path parameter. */
let foreign: Record<string, string>
let other: TestClient
let before: unknown
/** Who asks: an owner of the first workspace, and a key of it with every scope. */
let askers: readonly TestClient[]

beforeAll(async () => {
  service = await startTestService()
  const stranger = await strangerTo(service)
  other = stranger.client
  foreign = await fill(other, stranger)
  foreign['name'] = (await other.call('createNamespace', { body: { name: 'their-own-space', title: 'Theirs' } })).name
  const { key } = await service.client.call('createApiKey', { body: { name: 'all', scopes: [...scopes] } })
  askers = [service.client, clientFor(service.baseUrl, key, service.workspaceId)]
  before = await everythingIn(other)
})
afterAll(() => service.close())

interface Stranger {
  readonly client: TestClient
  readonly workspaceId: string
  readonly personId: string
}

/** A person with a workspace that nobody else belongs to. */
async function strangerTo({ baseUrl, dataDir, client }: TestService): Promise<Stranger> {
  const { member } = await client.call('inviteMember', { body: { name: 'Stranger' } })
  const { id } = await clientFor(baseUrl, signIn(member.id), service.workspaceId).call('createWorkspace', { body: { name: 'Other' } })
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

async function fill(client: TestClient, { workspaceId, personId }: Stranger): Promise<Record<string, string>> {
  const connection = await client.call('createConnection', {
    body: { name: 'theirs', base_url: 'http://127.0.0.1:59999/v1', model: 'm', api_key: 'sk-theirs-1234' },
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
  const scorer = await client.call('createRemoteScorer', { body: { name: 'theirs', url: 'http://127.0.0.1:48123/' } })
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
  const webhook = await client.call('createWebhook', { body: { name: 'theirs', url: 'http://127.0.0.1:48123/' } })
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

/** What must stay as it is, whatever the first workspace tries. */
async function everythingIn(client: TestClient) {
  return {
    workspaces: await client.call('listWorkspaces', {}),
    members: await client.call('listMembers', {}),
    sessions: await client.call('listSessions', {}),
    connections: await client.call('listConnections', {}),
    runs: await client.call('listRuns', {}),
    keys: await client.call('listApiKeys', {}),
    purchases: await client.call('listPurchases', {}),
    ledger: await client.call('listLedger', {}),
    feedback: await client.call('listFeedback', {}),
    integrations: await client.call('listTraceIntegrations', {}),
    traces: await client.call('listTraces', {}),
    datasets: await client.call('listDatasets', {}),
    examples: await client.call('listExamples', { params: { dataset_id: foreign['dataset_id'] ?? '' } }),
    decisions: await client.call('listReleaseDecisions', {}),
    issues: await client.call('listIssues', {}),
    tuning: await client.call('listTuneSessions', {}),
    schedules: await client.call('listSchedules', {}),
    webhooks: await client.call('listWebhooks', {}),
  }
}

/** The answer, with the ids that were asked for taken out. */
async function ask({ headers }: TestClient, [id, endpoint]: readonly [OperationId, Endpoint], params: Record<string, string>) {
  const body = bodies[id]
  const form = new FormData()
  form.append('file', new Blob(['{}']), 'data.jsonl')
  const sent = endpoint.kind === 'upload' ? form : body === undefined ? null : JSON.stringify(body)
  const query = id === 'listTraceResources' ? '?kind=datasets' : ''
  const reply = await fetch(service.baseUrl + fillPath(endpoint.path, params) + query, {
    method: endpoint.method,
    headers: { ...headers, 'idempotency-key': randomUUID(), ...(typeof sent === 'string' ? { 'content-type': 'application/json' } : {}) },
    ...(sent === null ? {} : { body: sent }),
  })
  const text = Object.values(params).reduce((rest, value) => rest.replaceAll(value, '…'), await reply.text())
  const { error } = ErrorBody.parse(JSON.parse(text.replaceAll(/"request_id":"[^"]*"/g, `"request_id":"${randomUUID()}"`)))
  return { status: reply.status, code: error.code, message: error.message }
}

const plainParameters = new Set(['format', 'n'])

describe('an id of another workspace', () => {
  test.each(withIds)('in the path of %s is answered like one that does not exist', async (id, endpoint) => {
    const names = Object.keys(endpoint.params?.shape ?? {})
    const example = (name: string) => (endpoint.path.startsWith('/v1/tune-sessions/') ? foreign[`tune-sessions/${name}`] : foreign[name])
    const unknown = names.filter(name => !example(name))
    // A new kind of thing needs a real example in fill(), and an operation with a body needs one in bodies.
    expect({ id, unknown }).toEqual({ id, unknown: [] })
    expect({ id, body: endpoint.body === undefined || bodies[id] !== undefined }).toEqual({ id, body: true })
    const real = Object.fromEntries(names.map(name => [name, example(name) ?? '']))
    // A number or a format is no id: it stays as it is, beside ids that do not exist.
    const absent = Object.fromEntries(
      names.map(name => [name, name.endsWith('_id') ? randomUUID() : plainParameters.has(name) ? (real[name] ?? '') : 'no-such-thing']),
    )
    for (const asker of askers) {
      const answer = await ask(asker, [id, endpoint], real)
      expect(answer).toEqual(await ask(asker, [id, endpoint], absent))
      expect([403, 404]).toContain(answer.status)
    }
    const owner = await ask(service.client, [id, endpoint], real)
    expect(owner).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('in a body is, too', async () => {
    const quoteOf = (connectionId: string) =>
      service.client.refusal('createQuote', {
        body: {
          model: { kind: 'connection', connection_id: connectionId },
          selection: { profile_ids: ['x'] },
          coverage: { mode: 'full' },
          max_charge_microusd: '0',
        },
      })
    const submitted = (quoteId: string) =>
      service.client.refusal('submitRun', { body: { quote_id: quoteId, name: 'x' }, headers: { 'idempotency-key': randomUUID() } })
    for (const [attempt, id] of [
      [quoteOf, foreign['connection_id'] ?? ''],
      [submitted, foreign['quote_id'] ?? ''],
    ] as const) {
      const absent = randomUUID()
      const [real, none] = [await attempt(id), await attempt(absent)]
      expect({ status: real.status, code: real.code, message: real.message.replace(id, absent) }).toEqual({
        status: none.status,
        code: none.code,
        message: none.message,
      })
      expect(real.status).toBe(404)
    }
  })

  test('in a cursor is refused', async () => {
    const { key_id: _, ...rest } = foreign
    expect(rest).not.toEqual({})
    await other.call('createApiKey', { body: { name: 'second', scopes: ['runs:read'] } })
    before = await everythingIn(other)
    const { next_cursor } = await other.call('listApiKeys', { query: { limit: 1 } })
    const refused = await service.client.refusal('listApiKeys', { query: { cursor: next_cursor ?? '' } })
    expect(refused).toMatchObject({ status: 422, code: 'invalid_cursor' })
  })

  test('in a task’s source is unknown', async () => {
    const { versions } = await other.call('getBenchmark', { params: { slug: foreign['slug'] ?? '' } })
    const source = versions[0]?.source_ref ?? ''
    expect((await other.call('listTasks', { query: { source_ref: source } })).items).toHaveLength(3)
    const [real, none] = [source, 'eval://no/such/1'].map(ref => service.client.refusal('listTasks', { query: { source_ref: ref } }))
    expect((await real)?.code).toBe((await none)?.code)
  })

  test('was changed by none of this', async () => {
    expect(await everythingIn(other)).toEqual(before)
    const { items } = await other.call('listApiKeys', {})
    expect(items.some(key => key.status !== 'active')).toBe(false)
  })
})

describe('an Idempotency-Key', () => {
  test('of one workspace has no meaning in another, for the same person', async () => {
    const second = await service.client.call('createWorkspace', { body: { name: 'Second' } })
    const inside = clientFor(service.baseUrl, service.file.session_token, second.id)
    const request = { body: { amount_microusd: '5' }, headers: { 'idempotency-key': 'both' } }
    const first = await service.client.call('createPurchase', request)
    expect((await inside.call('createPurchase', request)).id).not.toBe(first.id)
  })
})
