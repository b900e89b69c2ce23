import { tmpdir } from 'node:os'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, type OperationId } from '../../src/contract/api.ts'
import { fillPath } from '../../src/contract/client.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { calibrated, connectJudge, frozenVersion, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { scriptedRun } from '../support/scripted-run.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { braintrustIds, braintrustKey } from '../support/trace-providers/braintrust-server.ts'
import { connect, providers, startProvider } from '../support/trace-providers/connected.ts'
import { langfuseKeys } from '../support/trace-providers/langfuse-server.ts'
import { langsmithIds, langsmithKey } from '../support/trace-providers/langsmith-server.ts'
import type { ScriptedServer } from '../support/trace-providers/scripted-server.ts'
import { checkedPackage, sums } from '../support/packages.ts'
import { startTestService, type TestClient, type TestService } from '../support/service.ts'
import { newSession } from '../support/tuning.ts'
import { evaluatorsExamples } from '../../src/contract/evaluators/evaluators.examples.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'

const operations = Object.entries(api) as [OperationId, Endpoint][] // the keys of the table
/** Uploads are asked the same in imports.test.ts: a form is no JSON. */
const creating = operations.filter(([, { idempotent, kind }]) => idempotent !== undefined && kind === 'json')

interface RequestCase {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The same request but for one thing, which must not be taken for it. Absent where there is no body. */
  readonly changed?: Readonly<Record<string, unknown>>
}

let service: TestService
let wishes: Partial<Record<OperationId, RequestCase>>

beforeAll(async () => {
  service = await startTestService()
  wishes = {
    ...(await prepare(service)),
    ...(await prepareEndedRuns(service)),
    ...(await prepareTraces(service)),
    ...(await prepareEvaluators(service)),
  }
})
afterAll(async () => {
  for (const server of [...servers, ...judges]) await server.close()
  await service.close()
})

const servers: ScriptedServer[] = []
const judges: ScriptedJudge[] = []

/** Projects to connect, one for each provider, and what their data is added to. */
async function prepareTraces({ client }: TestService): Promise<Partial<Record<OperationId, RequestCase>>> {
  for (const provider of [...providers, 'langfuse'] as const)
    servers.push(await startProvider(provider, [], [{ id: randomUUID(), question: 'q', answer: 'a' }]))
  const [langfuse = '', langsmith = '', braintrust = '', other = ''] = servers.map(({ url }) => url)
  const { id: integration_id } = await connect(client, 'langfuse', other)
  const { id: dataset_id } = await client.call('createDataset', { body: { name: 'from traces', task: 'answer' } })
  const params = { dataset_id }
  const body = (same: RequestCase['body'], changes: RequestCase['body']): RequestCase => ({
    body: { ...same },
    changed: { ...same, ...changes },
  })
  const name = { name: 'other' }
  return {
    connectProviderA: body({ host: langfuse, ...langfuseKeys }, name),
    connectProviderB: body(
      { base_url: langsmith, access_key: langsmithKey, project_id: `${langsmithIds.workspace}:${langsmithIds.project}` },
      name,
    ),
    connectProviderC: body({ base_url: braintrust, access_key: braintrustKey, project_id: braintrustIds.project }, name),
    addWorkloadSource: { params, ...body({ integration_id, kind: 'dataset', resource_id: 'GSM8K' }, { limit: 1 }) },
    addTraceSource: { params, ...body({ trace_ids: [randomUUID()] }, { dry_run: true }) },
  }
}

/** Of what is done to a run after its end, each once to a run of its own: a run does one such thing at a time. */
async function prepareEndedRuns(to: TestService): Promise<Partial<Record<OperationId, RequestCase>>> {
  const profile = await profileId(to.client, 'arithmetic-word-problems', 'zero-shot')
  const ended = async () => {
    const { run, models } = await scriptedRun(to, profile, { samples: 2, faults: ['server-error'] })
    await models.close()
    return { params: { run_id: run.id } }
  }
  const asked = await ended()
  const { items } = await to.client.call('listSamples', asked)
  const sample_ids = items.map(({ id }) => id)
  return {
    retryFailed: await ended(),
    retrySamples: { ...asked, body: { sample_ids }, changed: { sample_ids: sample_ids.slice(0, 1) } },
    regradeRun: { ...(await ended()), body: { metrics: [] }, changed: {} },
    prepareRunExport: { ...(await ended()), body: { format: 'csv' }, changed: { format: 'json' } },
  }
}

async function prepareEvaluators({ client, baseUrl }: TestService): Promise<Partial<Record<OperationId, RequestCase>>> {
  const { datasetId, versionId } = await frozenVersion(client)
  const definition = { kind: 'deterministic', scorer: 'assay/exact_match' } as const
  const { id } = await client.call('createEvaluator', { body: { name: 'exact', definition } })
  const scorer = await client.call('createRemoteScorer', { body: { name: 'one', url: 'http://127.0.0.1:28123/' } })
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
  const pinned = await calibrated(client, { evaluator_version_id: id, dataset_version_id: versionId })
  const limits = { max_charge_microusd: '0', max_monthly_microusd: '0' }
  const monitored = { name: 'one', profile_id: profile, baseline: { run_id: run.id }, evaluator_version_id: id, ...limits }
  const monitor = { params: { monitor_id: (await client.call('createTuneMonitor', { body: monitored })).id } }
  const world = await client.call('createEnvironment', { body: { ...worldsExamples.createEnvironment, slug: 'attacked-lights' } })
  const judge = await startJudge(() => 'Please {goal} now.')
  judges.push(judge)
  const writer = await connectJudge(client, judge)
  const webhook = await client.call('createWebhook', { body: { name: 'hook', url: 'http://127.0.0.1:28123/' } })
  const both = (body: Record<string, unknown>, other: Record<string, unknown>): RequestCase => ({ body, changed: { ...body, ...other } })
  return {
    createNote: { params: { run_id: run.id }, ...both({ note: 'one' }, { note: 'other' }) },
    createEvaluator: both({ name: 'one', definition }, { name: 'other' }),
    createEvaluatorDraft: both({ dataset_version_id: versionId, mode: 'heuristic' }, { seed: 2 }),
    runEvaluatorTrial: both(
      {
        definition: {
          ...evaluatorsExamples.runEvaluatorTrial.definition,
          judges: [{ model: { kind: 'connection', connection_id: writer } }],
        },
        output: '1',
      },
      { output: '2' },
    ),
    rewriteAttacks: both({ model: { model: { kind: 'connection', connection_id: writer } }, count: 1 }, { count: 2 }),
    createCalibration: both({ evaluator_version_id: id, dataset_version_id: versionId }, { seed: 2 }),
    createDatasetSuite: {
      params: { dataset_id: datasetId, version_id: versionId },
      ...both({ name: 'one', evaluator_version_id: id }, { name: 'other' }),
    },
    createDatasetBenchmark: {
      params: { dataset_id: datasetId, version_id: versionId },
      ...both({ name: 'one', evaluator_version_id: id }, { name: 'other' }),
    },
    addLocalModelFolder: both({ path: service.dataDir }, { path: tmpdir() }),
    createEnvironment: both(worldsExamples.createEnvironment, { title: 'Other' }),
    startEnvironmentDraft: both(worldsExamples.startEnvironmentDraft, { trace_ids: [randomUUID()] }),
    attackEnvironment: {
      params: { environment_version_id: world.id },
      ...both(worldsExamples.attackEnvironment, { attacks: ['document'] }),
    },
    attackDataset: { params: { dataset_id: datasetId }, ...both({ version_id: versionId }, { attacks: ['document'] }) },
    createReleaseCalibration: both({ name: 'one', calibration_id: pinned.id }, { name: 'other' }),
    createRemoteScorer: both({ name: 'two', url: 'http://127.0.0.1:28123/' }, { name: 'other' }),
    rotateRemoteScorerSecret: { params: { remote_scorer_id: scorer.id } },
    createWebhook: both({ name: 'one', url: 'http://127.0.0.1:28123/' }, { name: 'other' }),
    rotateWebhookSecret: { params: { webhook_id: webhook.id } },
    createTuneSession: both({ name: 'one' }, { name: 'other' }),
    createTuneMonitor: both(monitored, { name: 'other' }),
    createTuneMonitorEvent: { ...monitor, ...both({ type: 'manual' }, { note: 'other' }) },
    queueTuneWorkload: { ...monitor, ...both({ outputs: [{ input: '1', output: '1' }] }, { outputs: [{ input: '2', output: '2' }] }) },
    createRegradeQuote: {
      params: { run_id: run.id },
      ...both({ evaluator_version_id: id, max_charge_microusd: '0' }, { max_charge_microusd: '1' }),
    },
  }
}

async function releaseRequests(
  client: TestClient,
  task_selections: { source_ref: string; split: 'test'; task_ids: string[] }[],
  runId: string,
): Promise<Partial<Record<OperationId, RequestCase>>> {
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'suite', groups: [{ key: 'g', title: 'G', weight: 1, critical: false, selection: { task_selections } }] },
  })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'policy', rules: [{ key: 'score', kind: 'min_score', threshold: 0.5 }] },
  })
  const { items } = await client.call('listSamples', { params: { run_id: runId } })
  const decision = {
    name: 'one',
    candidate: { label: 'echo', model: { kind: 'managed', route_id: 'assay/echo' } },
    suite_version_id: suite.id,
    policy_id: policy.id,
    max_charge_microusd: '0',
  }
  const label = { target: { run_id: runId, sample_id: items[0]?.id ?? '' }, verdict: 'pass' }
  return {
    createReleaseDecision: { body: decision, changed: { ...decision, name: 'other' } },
    createReleaseLabel: { body: label, changed: { ...label, verdict: 'fail' } },
  }
}

async function tuneRequests(client: TestClient): Promise<Partial<Record<OperationId, RequestCase>>> {
  const approved = async () => {
    const { id } = await client.call('createTuneSession', { body: newSession() })
    await client.call('approveTuneSession', { params: { session_id: id }, body: { revision: 1 } })
    return { session_id: id }
  }
  const body = {
    candidates: [{ label: 'echo', model: { kind: 'managed', route_id: 'assay/echo' } as const }],
    mode: 'full' as const,
    max_charge_microusd: '0',
  }
  const started = await approved()
  const quoted = await client.call('createTuneQuote', { params: started, body })
  return {
    createTuneQuote: { params: await approved(), body, changed: { ...body, mode: 'race' } },
    startTuneGroup: { params: started, body: { quote_id: quoted.id }, changed: { quote_id: crypto.randomUUID() } },
  }
}

/** A request to each creating operation that it carries out. */
async function prepare({ client, keyClient, baseUrl }: TestService): Promise<Partial<Record<OperationId, RequestCase>>> {
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const model = { kind: 'managed', route_id: 'assay/first-option' } as const
  const coverage = { mode: 'sample', sample_count: 2, seed: 1 } as const
  const { id: quoteId } = await quote(client, { model, profiles: [profile], coverage })
  const runs = [await submit(client, quoteId), await submit(client, quoteId)]
  for (const { id } of runs) await runToEnd(client, baseUrl, id)
  const run_ids = runs.map(({ id }) => id)
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const task_selections = [{ source_ref: profiles[0]?.source_ref ?? '', split: 'test' as const, task_ids: ['awp-0001'] }]
  const key = await client.call('createApiKey', { body: { name: 'to be rolled', scopes: ['runs:read'] } })
  const { member } = await client.call('inviteMember', { body: { name: 'Grace' } })
  const datasets = await datasetRequests(client, runs[0]?.id ?? '')
  const body = (same: RequestCase['body'], other: RequestCase['body']): RequestCase => ({
    body: { ...same },
    changed: { ...same, ...other },
  })
  return {
    createPairingCode: {},
    createWorkspace: body({ name: 'one' }, { name: 'other' }),
    startDemo: {},
    inviteMember: body({ name: 'Ada' }, { name: 'Other' }),
    createPersonPairingCode: body({ person_id: member.id }, { person_id: crypto.randomUUID() }),
    createMemberPairingCode: { params: { member_id: member.id } },
    createApiKey: body({ name: 'one', scopes: ['runs:read'] }, { name: 'other' }),
    rollApiKey: { params: { key_id: key.id }, ...body({ overlap: '1h' }, { overlap: 'none' }) },
    createPurchase: body({ amount_microusd: '5' }, { amount_microusd: '6' }),
    sendFeedback: body({ kind: 'bug', severity: 'degraded', summary: 'one' }, { summary: 'other' }),
    startBackup: {},
    createConnection: body({ name: 'one', base_url: 'http://127.0.0.1:29999/v1', model: 'm' }, { model: 'other' }),
    createQuote: body({ model, selection: { profile_ids: [profile] }, coverage, max_charge_microusd: '0' }, { max_charge_microusd: '1' }),
    submitRun: body({ quote_id: quoteId, name: 'one' }, { name: 'other' }),
    quoteRunGroup: body(
      { models: [model], selection: { profile_ids: [profile] }, coverage, max_charge_microusd: '0' },
      { max_charge_microusd: '1' },
    ),
    createSchedule: body(
      {
        name: 'one',
        cron: '0 3 * * *',
        terms: { models: [model], selection: { profile_ids: [profile] }, coverage, max_charge_microusd: '0' },
        max_monthly_microusd: '0',
      },
      { name: 'other' },
    ),
    createRunGroup: body({ name: 'one', quote_ids: [quoteId], max_charge_microusd: '0' }, { name: 'other' }),
    createPackageReview: await packageInReview(keyClient),
    createNamespace: body({ name: 'acme-labs', title: 'Acme' }, { title: 'Other' }),
    createSuite: body({ name: 'one', task_selections }, { name: 'other' }),
    createReleaseSuite: body(
      { name: 'one', groups: [{ key: 'g', title: 'G', weight: 1, selection: { task_selections } }] },
      { name: 'other' },
    ),
    createReleasePolicy: body({ name: 'one', rules: [{ key: 'score', kind: 'min_score', threshold: 0.5 }] }, { name: 'other' }),
    ...(await releaseRequests(client, task_selections, runs[0]?.id ?? '')),
    ...(await tuneRequests(client)),
    createIssueEvent: body({ type: 'open', title: 'one', severity: 'low' }, { title: 'other' }),
    createEvaluation: body({ name: 'one', model, task_selections, max_charge_microusd: '0' }, { name: 'other' }),
    quoteEvaluation: body({ model, task_selections, max_charge_microusd: '0' }, { max_charge_microusd: '1' }),
    ...datasets,
    createComparison: body({ name: 'one', run_ids, baseline_id: run_ids[0] }, { name: 'other' }),
  }
}

/** Each to an example of its own: what is done to one decides what can be done to it next. */
async function datasetRequests(client: TestService['client'], run_id: string): Promise<Partial<Record<OperationId, RequestCase>>> {
  const { id: dataset_id } = await client.call('createDataset', { body: { name: 'one', task: 'answer' } })
  const params = { dataset_id }
  const examples = ['a', 'b', 'c', 'd', 'x'].map(input => ({ input }))
  const { items } = await client.call('addExamples', { params, body: { examples } })
  const ofExample = (i: number) => ({ params: { ...params, example_id: items[i]?.example_id ?? '' } })
  const many = (decision: string) => ({ decision, examples: [{ example_id: items[4]?.example_id ?? '', revision: 1 }] })
  await client.call('reviewExample', { ...ofExample(3), body: { revision: 1, decision: 'approve' } })
  return {
    createDataset: { body: { name: 'one', task: 'answer' }, changed: { name: 'one', task: 'pairwise' } },
    addExamples: { params, body: { examples: [{ input: 'e' }] }, changed: { examples: [{ input: 'f' }] } },
    reviseExample: { ...ofExample(0), body: { base_revision: 1, output: 'x' }, changed: { base_revision: 1, output: 'y' } },
    labelExample: { ...ofExample(1), body: { revision: 1, value: 'pass' }, changed: { revision: 1, value: 'fail' } },
    reviewExample: { ...ofExample(2), body: { revision: 1, decision: 'submit' }, changed: { revision: 1, decision: 'reject' } },
    reviewExamples: { params, body: many('submit'), changed: many('reject') },
    createDatasetVersion: { params, body: {}, changed: { name: 'other' } },
    addExamplesFromRun: { params, body: { run_id }, changed: { run_id, limit: 1 } },
    createDatasetScan: { params, body: {}, changed: { kinds: ['secrets'] } },
  }
}

/** A package that a key sent, checked and waiting for a person: who sends one does not review it. */
async function packageInReview(client: TestClient): Promise<RequestCase> {
  const { id: package_id } = await checkedPackage(client, sums(20))
  return { params: { package_id }, body: { outcome: 'approve', note: 'one' }, changed: { outcome: 'approve', note: 'other' } }
}

async function send(endpoint: Endpoint, { params = {}, body }: RequestCase, key: string) {
  const reply = await fetch(service.baseUrl + fillPath(endpoint.path, params), {
    method: 'POST',
    headers: { ...service.client.headers, 'idempotency-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: reply.status, replayed: reply.headers.get('idempotency-replayed'), text: await reply.text() }
}

const codeOf = (text: string) => ErrorBody.parse(JSON.parse(text)).error.code

test('takes a key with or without quotes, and no empty one', async () => {
  const body = { body: { name: 'quoted', scopes: ['runs:read'] } }
  const keys = ['quoted', '"quoted"', '""', 'a b']
  const answers = await Promise.all(keys.map(key => send(api.createApiKey, body, key)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 422, 422])
  expect(answers[1]?.text).toBe(answers[0]?.text)
})

test('every POST that creates something honors Idempotency-Key', () => {
  // Signing in makes a session for whoever knows the code, which works once by itself. Cancelling, pausing, compacting and
  // examining create nothing, a restore is refused while one is under way, and the job for a file or a runtime is one however often it is asked for.
  const others = operations.filter(
    ([id, { method, path, status, idempotent }]) =>
      method === 'POST' &&
      status !== 200 &&
      idempotent === undefined &&
      !['pair', 'identifyLocalModel', 'installLocalRuntime'].includes(id) &&
      !/\/(?:cancel|compact|(?:re)?check|examine|restore|pause|resume)$/.test(path),
  )
  expect(others.map(([id]) => id)).toEqual([])
})

describe.each(creating)('%s', (id, endpoint) => {
  test('carries concurrent duplicates out once, replays the answer, and refuses another body under the key', async () => {
    const wish = wishes[id]
    // A new creating operation needs an example in prepare().
    expect({ id, known: wish !== undefined }).toEqual({ id, known: true })
    if (!wish) return
    const key = `key-of-${id}`
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(endpoint, wish, key)))
    const done = answers.filter(({ status }) => status === endpoint.status)
    expect(done.length).toBeGreaterThan(0)
    for (const answer of answers.filter(({ status }) => status !== endpoint.status))
      expect({ status: answer.status, code: codeOf(answer.text) }).toEqual({ status: 409, code: 'idempotency_in_progress' })
    if (endpoint.idempotent !== 'own') expect(done.filter(({ replayed }) => replayed === null)).toHaveLength(1)

    const again = await send(endpoint, wish, key)
    expect(again.status).toBe(endpoint.status)
    // What the resource itself remembers is answered as it is by now; all else byte for byte.
    const sameThing = ({ text }: { text: string }) => (endpoint.idempotent === 'own' ? idIn(text) : text)
    expect(new Set([...done, again].map(sameThing)).size).toBe(1)
    if (wish.changed) {
      const other = await send(endpoint, { ...wish, body: wish.changed }, key)
      expect({ status: other.status, code: codeOf(other.text) }).toEqual({ status: 422, code: 'idempotency_mismatch' })
    }
  })
})

/** Of the thing made, wherever the answer has it. */
function idIn(text: string): string {
  return /"id":\s*"([^"]+)"/.exec(text)?.[1] ?? text
}

test('what was done and the memory of its answer are stored together or not at all', async () => {
  const { client, dataDir } = service
  const db = openDatabase(`${dataDir}/assay.db`)
  const purchases = async () => (await client.call('listPurchases', { query: { limit: 100 } })).items.map(({ id }) => id)
  const before = await purchases()
  const request = { body: { amount_microusd: '7' }, headers: { 'idempotency-key': 'together' } }
  // As if the service ended between the two.
  db.prepare(`create trigger no_memory before update on idempotency begin select raise(abort, 'ended'); end`).run()
  try {
    expect((await client.refusal('createPurchase', request)).status).toBe(500)
  } finally {
    db.prepare('drop trigger no_memory').run()
    db.close()
  }
  expect(await purchases()).toEqual(before)
  const { id } = await client.call('createPurchase', request)
  expect(await client.call('createPurchase', request)).toMatchObject({ id })
  expect(await purchases()).toEqual([id, ...before])
})
