import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, type OperationId } from '../../src/contract/api.ts'
import { fillPath } from '../../src/contract/client.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { fillWorkspace, strangerTo } from '../support/fill-workspace.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'

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
  foreign = await fillWorkspace(service, stranger)
  foreign['name'] = (await other.call('createNamespace', { body: { name: 'their-own-space', title: 'Theirs' } })).name
  const { key } = await service.client.call('createApiKey', { body: { name: 'all', scopes: [...scopes] } })
  askers = [service.client, clientFor(service.baseUrl, key, service.workspaceId)]
  before = await everythingIn(other)
})
afterAll(() => service.close())

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
    // A new kind of thing needs a real example in fillWorkspace(), and an operation with a body needs one in bodies.
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
