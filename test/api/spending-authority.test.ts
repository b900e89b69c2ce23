import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api, type Api, type OperationId } from '../../src/contract/api.ts'
import { fillPath, type ServiceError } from '../../src/contract/client.ts'
import type { Endpoint, Request } from '../../src/contract/endpoint.ts'
import { type Scope, scopes } from '../../src/contract/scopes.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { NewWorld } from '../../src/contract/worlds/worlds.schemas.ts'
import { tools as mcpTools } from '../../src/service/mcp/tools/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type DatabaseWatch, watchDatabase } from '../support/database-watch.ts'
import { connectJudge, jobEnd, labeledVersion, saveJudge, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { allot, pricedRoute } from '../support/priced-quote.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, type TestClient, type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel } from '../support/tuning.ts'

/** Operations that can cause calls of models, judges, scorers or agents; every other one that changes something is listed below. */
const causing = [
  'submitRun',
  'createRunGroup',
  'createSchedule',
  'changeSchedule',
  'changeRun',
  'resumeRun',
  'retryFailed',
  'retrySamples',
  'regradeRun',
  'createEvaluation',
  'createEvaluatorDraft',
  'runEvaluatorTrial',
  'rewriteAttacks',
  'createCalibration',
  'retryJob',
  'checkConnection',
  'tryConnection',
  'testRemoteScorer',
  'startTuneGroup',
  'approveTuneSession',
  'createTuneMonitor',
  'patchTuneMonitor',
  'createTuneMonitorEvent',
  'queueTuneWorkload',
  'advanceReleaseDecision',
] as const satisfies readonly OperationId[]
type Causing = (typeof causing)[number]

/** Takes a form; `answers-judged.test.ts` has its refusals. */
const causingByForm: readonly OperationId[] = ['importAnswers']

/** Each for a reason: it stores, stops, reads or asks a machine's own ports; code that it runs is in the sandbox and calls nothing. */
const causingNothing: readonly OperationId[] = [
  ...(['pair', 'createPairingCode', 'signOut', 'endSession', 'createPersonPairingCode', 'createMemberPairingCode'] as const),
  // The models of a demo are simulated.
  ...(['startDemo', 'removeWorkspace'] as const),
  ...(['createWorkspace', 'renameWorkspace', 'inviteMember', 'setMemberRole', 'removeMember', 'setInstallation'] as const),
  ...(['createApiKey', 'setKeyCeiling', 'revokeApiKey', 'rollApiKey'] as const),
  ...(['createPurchase', 'confirmPurchase', 'cancelPurchase', 'refundPurchase', 'disputePurchase'] as const),
  ...(['changeItems', 'changeRuns', 'changeTraces', 'deleteItem', 'changeRetention'] as const),
  ...(['sendFeedback', 'triageFeedback', 'startBackup', 'checkBackup', 'restoreBackup', 'setBackupSchedule'] as const),
  ...([
    'createImport',
    'createQuote',
    'quoteRunGroup',
    'quoteEvaluation',
    'createSuite',
    'recommendTasks',
    'createComparison',
    'compareRunGroup',
  ] as const),
  // Their requests call no model.
  ...(['createWebhook', 'changeWebhook', 'deleteWebhook', 'testWebhook', 'rotateWebhookSecret', 'retryWebhookDelivery'] as const),
  ...(['createConnection', 'updateConnection', 'disableConnection', 'setLocalRouteRates'] as const),
  // Lists of models are no calls of them.
  ...(['discoverRuntimes', 'listEndpointModels'] as const),
  ...([
    'cancelRun',
    'pauseRun',
    'cancelRunGroup',
    'prepareRunExport',
    'deleteRun',
    'createRegradeQuote',
    'cancelEvaluation',
    'cancelJob',
  ] as const),
  ...(['changeAnnotations', 'createNote', 'changeNote', 'deleteNote'] as const),
  // Both refuse evaluators that call anything.
  ...(['tryEvaluator', 'previewEvaluator', 'quoteCalibration'] as const),
  ...(['createEvaluator', 'changeCalibration', 'createRemoteScorer', 'updateRemoteScorer', 'disableRemoteScorer'] as const),
  ...(['rotateRemoteScorerSecret', 'createReleaseSuite', 'createReleasePolicy', 'createDatasetSuite', 'createReleaseDecision'] as const),
  ...([
    'cancelReleaseDecision',
    'createReleaseLabel',
    'createEvidence',
    'previewEvidence',
    'previewReleasePlan',
    'selectDecisionTasks',
    'analyzeEvidence',
    'createIssueEvent',
  ] as const),
  ...(['createReleaseCalibration', 'examineStorage', 'compactStorage', 'clearCache', 'dismissLostChanges'] as const),
  ...(['createNamespace', 'confirmNamespaceKey', 'createPackage', 'createPackageReview', 'publishPackage'] as const),
  ...(['quarantinePackage', 'recheckPackage', 'withdrawPackage'] as const),
  ...(['createDataset', 'updateDataset', 'addExamples', 'reviseExample', 'labelExample', 'reviewExample', 'reviewExamples'] as const),
  ...(['createDatasetVersion', 'addWorkloadSource', 'addTraceSource', 'createDatasetImport', 'addExamplesFromRun'] as const),
  ...([
    'createDatasetScan',
    'createDatasetBenchmark',
    'createEnvironment',
    'attackEnvironment',
    'attackDataset',
    'checkEnvironment',
    'rankModels',
    'draftEnvironment',
    'startEnvironmentDraft',
    'tryEnvironment',
  ] as const),
  ...(['discoverProviderAProjects', 'connectProviderA', 'discoverProviderBProjects', 'connectProviderB'] as const),
  ...(['discoverProviderCProjects', 'connectProviderC', 'pauseTraceIntegration', 'resumeTraceIntegration'] as const),
  ...(['reconnectTraceIntegration', 'reconnectWorkloadTraceIntegration', 'backfillTraces'] as const),
  ...(['disconnectTraceIntegration', 'receiveTraces'] as const),
  ...(['createTuneSession', 'patchTuneDraft', 'createTuneQuote', 'cancelTuneSession'] as const),
  // Workers make calls that were authorized when their work began.
  ...(['setProxy', 'uploadMedia', 'identifyLocalModel', 'addLocalModelFolder', 'removeLocalModelFolder'] as const),
  ...(['updateLocalModelSettings', 'installLocalRuntime', 'removeLocalRuntime'] as const),
  ...(['drainWorker', 'shareKey', 'withdrawKey', 'reportWorker', 'leaveWorker', 'takeBatch', 'reportBatch'] as const),
]

/** Work of the table where another than the model under test is billed, or a connection that was copied. */
const variants = [
  'a schedule of a free model beside a judge',
  'a schedule of a free model on a benchmark with a judge',
  'a schedule of a free model on a world with a judge',
  'an evaluation of a free model on a benchmark with a judge',
  'an evaluation of a free model beside a judge',
  'an event of a monitor of a free model on a world with a judge',
  'a run on a copied connection',
  'a check of a copied connection',
  'a run group of a free model beside a judge',
] as const
/** Calls nothing, but uses the key of a connection. */
const keyed = ['a connection with the key of another', 'models of the endpoint of a connection'] as const
/** Tools of agents that can cause calls, each by an operation of the table. */
const tools = {
  submit_run: 'submitRun',
  evaluate_tasks: 'createEvaluation',
  retry_failed: 'retryFailed',
  start_calibration: 'createCalibration',
  check_connection: 'checkConnection',
} as const satisfies Readonly<Record<string, Causing>>
type ToolName = keyof typeof tools
type Variant = (typeof variants)[number] | (typeof keyed)[number]

test('every operation that changes something is in one of the tables', () => {
  const known: readonly string[] = [...causing, ...causingByForm, ...causingNothing]
  const all = Object.entries(api).flatMap(([id, { method }]) => (method === 'GET' ? [] : [id]))
  expect(all.filter(id => !known.includes(id))).toEqual([])
  expect(known.filter(id => !all.includes(id))).toEqual([])
})

test('every tool of agents that can cause calls is in a table', () => {
  expect(mcpTools.filter(({ effect }) => effect === 'spend').map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(tools)))
  expect(mcpTools.filter(({ effect }) => effect === 'spend')).toHaveLength(Object.keys(tools).length)
})

let service: TestService
let clock: MovingClock
let judge: ScriptedJudge
let paid: PricedModel
let closeRoute: () => Promise<void>
/** Each with what the owner has prepared. */
let requests: { readonly [Id in Causing]: () => Request<Api[Id]> }
let others: { readonly [Name in Variant]: { readonly scope: Scope; readonly ask: (client: TestClient) => Promise<ServiceError> } }
/** Ids of what the owner has prepared, by their names in paths. */
let database: DatabaseWatch
let ids: Readonly<Record<string, string>>
let zero: TestClient
/** May spend, but less than anything here costs. */
let small: TestClient
let expired: TestClient
let elsewhere: TestClient
const withScopes = new Map<Scope, TestClient>()

const key = () => ({ 'idempotency-key': crypto.randomUUID() })
const pass = { tool: { reasoning: 'ok', verdict: 'pass' } }

beforeAll(async () => {
  clock = movingClock()
  service = await startTestService({}, clock)
  const { client } = service
  judge = await startJudge(() => pass)
  paid = await pricedModel(client, 'Paid', () => '#### 13', 1_000_000)
  const route = await pricedRoute(service)
  closeRoute = route.models.close
  await allot(service, '50000000')
  const managed = { kind: 'managed', route_id: route.routeId } as const
  const connection = { kind: 'connection', connection_id: paid.id } as const
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const terms = { model: connection, profiles: [profile], coverage: { mode: 'sample', sample_count: 4, seed: 1 } } as const
  const ready = await quote(client, terms)
  const ended = async (more: Parameters<typeof quote>[1]) => {
    const run = await submit(client, (await quote(client, more)).id)
    return runToEnd(client, service.baseUrl, run.id)
  }
  const whole = await ended(terms)
  const most = Number(whole.accounting.provider_billed_microusd)
  const capped = await ended({ ...terms, execution: { max_provider_billed_microusd: String(Math.floor(most / 2)), concurrency: 1 } })
  expect(capped.progress.missing).toBeGreaterThan(0)
  const [sample] = (await client.call('listSamples', { params: { run_id: capped.id }, query: { limit: 10 } })).items

  const judgeId = await connectJudge(client, judge, { priced: true })
  const evaluator = await saveJudge(client, judgeId)
  const examples = Array.from({ length: 40 }, (_, i) => ({
    input: `Question ${i}`,
    output: `Answer ${i}`,
    label: i % 2 === 0 ? 'pass' : 'fail',
  }))
  const { datasetId, versionId, exampleIds } = await labeledVersion(service, { task: 'classify', labels: ['pass', 'fail'] }, examples)
  const calibration = { evaluator_version_id: evaluator.id, dataset_version_id: versionId }
  const failed = await client.call('createCalibration', { body: { ...calibration, max_charge_microusd: '1' } })
  await jobEnd(client, failed.job_id)
  await client.call('changeCalibration', { params: { calibration_id: failed.id }, body: { max_charge_microusd: '1000000' } })
  const regrade = await client.call('createRegradeQuote', {
    params: { run_id: whole.id },
    body: { evaluator_version_id: evaluator.id, max_charge_microusd: '1000000' },
  })

  const { call, ...draft } = newSession(60)
  const parameters = { temperature: null, max_output_tokens: 20, stop: [] }
  const session = async () =>
    (await client.call('createTuneSession', { body: { ...draft, ...(call && { call: { ...call, model: managed, parameters } }) } })).id
  const tuned = await session()
  await client.call('approveTuneSession', { params: { session_id: tuned }, body: { revision: 1 } })
  const prompt = { system_prompt: null, prompt_template: '{input}' }
  const group = await client.call('createTuneQuote', {
    params: { session_id: tuned },
    body: { candidates: [{ label: 'short', model: managed, effort: null, prompt }], mode: 'full', max_charge_microusd: '10000000' },
  })
  const unapproved = await session()
  const limits = { max_charge_microusd: '10000000', max_monthly_microusd: '10000000' }
  const monitor = { name: 'Watch', profile_id: profile, baseline: { run_id: whole.id }, evaluator_version_id: evaluator.id, ...limits }
  const watched = await client.call('createTuneMonitor', { body: monitor })
  const paused = await client.call('createTuneMonitor', { body: { ...monitor, schedule: 'week' } })
  await client.call('patchTuneMonitor', { params: { monitor_id: paused.id }, body: { status: 'paused' } })

  const scheduled = {
    name: 'Nightly',
    cron: '0 3 * * *',
    terms: { models: [connection], selection: { profile_ids: [profile] }, coverage: terms.coverage, max_charge_microusd: '0' },
    max_monthly_microusd: '1000000',
  }
  const schedule = await client.call('createSchedule', { body: scheduled })
  await client.call('changeSchedule', { params: { schedule_id: schedule.id }, body: { status: 'paused' } })

  const { latest_version: version } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const tasks = { source_ref: version?.source_ref ?? '', split: 'test' as const, task_ids: ['awp-0001', 'awp-0002'] }
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'Math', groups: [{ key: 'main', title: 'main', weight: 1, critical: false, selection: { task_selections: [tasks] } }] },
  })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }] },
  })
  const decision = await client.call('createReleaseDecision', {
    body: {
      name: 'Release',
      candidate: { label: 'paid', model: connection },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  const scorer = await client.call('createRemoteScorer', { body: { name: 'Scorer', url: judge.baseUrl } })
  // Left waiting: nothing executes it while the others are tried.
  const waiting = openDatabase(join(service.dataDir, 'assay.db'))
  const held = await submit(client, (await quote(client, terms)).id)
  await runToEnd(client, service.baseUrl, held.id)
  waiting
    .prepare("update runs set status = 'running', held_microusd = 5, provider_held_microusd = billed_microusd + 5 where id = ?")
    .run(held.id)
  waiting.close()

  requests = {
    submitRun: () => ({ body: { quote_id: ready.id, name: 'run' }, headers: key() }),
    createRunGroup: () => ({
      body: { name: 'group', quote_ids: [ready.id], max_charge_microusd: '0', max_provider_billed_microusd: '1000000' },
      headers: key(),
    }),
    createSchedule: () => ({ body: scheduled, headers: key() }),
    changeSchedule: () => ({ params: { schedule_id: schedule.id }, body: { status: 'active' } }),
    changeRun: () => ({ params: { run_id: capped.id }, body: { max_provider_billed_microusd: '1000000', name: 'renamed' } }),
    resumeRun: () => ({ params: { run_id: held.id } }),
    retryFailed: () => ({ params: { run_id: capped.id }, headers: key() }),
    retrySamples: () => ({ params: { run_id: capped.id }, body: { sample_ids: [sample?.id ?? ''] }, headers: key() }),
    regradeRun: () => ({
      params: { run_id: whole.id },
      body: { evaluator_version_id: evaluator.id, regrade_quote_id: regrade.id },
      headers: key(),
    }),
    createEvaluation: () => ({
      body: {
        name: 'Evaluation',
        model: connection,
        task_selections: [tasks],
        profile_ids: [profile],
        max_charge_microusd: '0',
      },
      headers: key(),
    }),
    createEvaluatorDraft: () => ({
      body: { dataset_version_id: versionId, mode: 'model', model: connection, max_charge_microusd: '1000000' },
      headers: key(),
    }),
    runEvaluatorTrial: () => ({ body: { definition: evaluator.definition, output: '4', max_charge_microusd: '1000000' }, headers: key() }),
    rewriteAttacks: () => ({ body: { model: { model: connection }, count: 1, max_charge_microusd: '1000000' }, headers: key() }),
    createCalibration: () => ({ body: { ...calibration, max_charge_microusd: '1000000' }, headers: key() }),
    retryJob: () => ({ params: { job_id: failed.job_id } }),
    checkConnection: () => ({ params: { connection_id: paid.id } }),
    tryConnection: () => ({ params: { connection_id: paid.id }, body: { prompt: 'Hello' } }),
    testRemoteScorer: () => ({ params: { remote_scorer_id: scorer.id } }),
    startTuneGroup: () => ({ params: { session_id: tuned }, body: { quote_id: group.id }, headers: key() }),
    approveTuneSession: () => ({
      params: { session_id: unapproved },
      body: { revision: 1, auto: { candidates: [{ label: 'x', model: managed, effort: null, prompt }], max_charge_microusd: '1000' } },
    }),
    createTuneMonitor: () => ({ body: { ...monitor, schedule: 'hour' }, headers: key() }),
    patchTuneMonitor: () => ({ params: { monitor_id: paused.id }, body: { status: 'active' } }),
    createTuneMonitorEvent: () => ({ params: { monitor_id: watched.id }, body: { type: 'manual' }, headers: key() }),
    queueTuneWorkload: () => ({ params: { monitor_id: watched.id }, body: { outputs: [{ input: 'a', output: 'b' }] }, headers: key() }),
    advanceReleaseDecision: () => ({ params: { decision_id: decision.id } }),
  }

  ids = {
    run_id: whole.id,
    sample_id: sample?.id ?? '',
    quote_id: ready.id,
    connection_id: paid.id,
    evaluator_version_id: evaluator.id,
    dataset_id: datasetId,
    version_id: versionId,
    calibration_id: failed.id,
    job_id: failed.job_id,
    session_id: tuned,
    monitor_id: watched.id,
    schedule_id: schedule.id,
    decision_id: decision.id,
    remote_scorer_id: scorer.id,
    slug: 'arithmetic-word-problems',
  }

  const free = { kind: 'managed', route_id: 'assay/oracle-75' } as const
  const graded = { evaluators: [evaluator.id] }
  const { profile_id: judgedProfile } = await client.call('createDatasetBenchmark', {
    params: { dataset_id: datasetId, version_id: versionId },
    body: { name: 'Judged', evaluator_version_id: evaluator.id },
  })
  const { latest_version: judgedVersion } = await client.call('getBenchmark', { params: { slug: judgedProfile.split('@')[0] ?? '' } })
  const example = NewWorld.parse(worldsExamples.createEnvironment)
  const world = await client.call('createEnvironment', {
    body: NewWorld.parse({
      ...example,
      slug: 'judged-lights',
      judge: { model: { kind: 'connection', connection_id: judgeId } },
      tasks: example.tasks.map(task => ({ ...task, expected: { ...task.expected, criteria: ['The answer is polite.'] } })),
    }),
  })
  const onWorld = { profiles: world.profile_ids.slice(0, 1), coverage: { mode: 'full' } } as const
  const played = await ended({ model: free, ...onWorld })
  const worldMonitor = await client.call('createTuneMonitor', {
    body: { name: 'World', profile_id: onWorld.profiles[0] ?? '', baseline: { run_id: played.id }, ...limits },
  })
  const copy = await client.call('createConnection', {
    body: { name: 'Copy', base_url: paid.server.baseUrl, model: 'Other', credentials_from: paid.id },
  })
  await client.call('checkConnection', { params: { connection_id: copy.id } })
  const onCopy = await quote(client, { ...terms, model: { kind: 'connection', connection_id: copy.id } })
  const besideJudge = await quote(client, { ...terms, model: free, execution: graded })
  const variant = <Id extends OperationId>(id: Id, request: () => Request<Api[Id]>) => ({
    scope: api[id].scope as Scope,
    ask: (asker: TestClient) => asker.refusal(id, request()),
  })
  const freely = (more: object) => () => ({
    body: { ...scheduled, terms: { ...scheduled.terms, models: [free], ...more } },
    headers: key(),
  })
  const evaluation = { name: 'Evaluation', model: free, task_selections: [tasks], profile_ids: [profile], max_charge_microusd: '0' }
  others = {
    'a schedule of a free model beside a judge': variant('createSchedule', freely({ execution: graded })),
    'a schedule of a free model on a benchmark with a judge': variant(
      'createSchedule',
      freely({ selection: { profile_ids: [judgedProfile] } }),
    ),
    'a schedule of a free model on a world with a judge': variant(
      'createSchedule',
      freely({ selection: { profile_ids: onWorld.profiles }, coverage: onWorld.coverage }),
    ),
    'an evaluation of a free model on a benchmark with a judge': variant('createEvaluation', () => ({
      body: {
        ...evaluation,
        task_selections: [{ source_ref: judgedVersion?.source_ref ?? '', split: 'test' as const, task_ids: exampleIds.slice(0, 1) }],
        profile_ids: [judgedProfile],
      },
      headers: key(),
    })),
    'an evaluation of a free model beside a judge': variant('createEvaluation', () => ({
      body: { ...evaluation, execution: graded },
      headers: key(),
    })),
    'an event of a monitor of a free model on a world with a judge': variant('createTuneMonitorEvent', () => ({
      params: { monitor_id: worldMonitor.id },
      body: { type: 'manual' as const },
      headers: key(),
    })),
    'a run on a copied connection': variant('submitRun', () => ({ body: { quote_id: onCopy.id, name: 'copy' }, headers: key() })),
    'a check of a copied connection': variant('checkConnection', () => ({ params: { connection_id: copy.id } })),
    'a run group of a free model beside a judge': variant('createRunGroup', () => ({
      body: { name: 'group', quote_ids: [besideJudge.id], max_charge_microusd: '0', max_provider_billed_microusd: '1000000' },
      headers: key(),
    })),
    'a connection with the key of another': variant('createConnection', () => ({
      body: { name: 'Third', base_url: paid.server.baseUrl, model: 'Third', credentials_from: paid.id },
      headers: key(),
    })),
    'models of the endpoint of a connection': variant('listEndpointModels', () => ({
      body: { base_url: paid.server.baseUrl, credentials_from: paid.id },
    })),
  }

  const clientOf = async (name: string, body: object, workspaceId = service.workspaceId): Promise<TestClient> => {
    const owner = clientFor(service.baseUrl, service.file.session_token, workspaceId)
    const { key: token } = await owner.call('createApiKey', { body: { name, scopes: [...scopes], ...body } })
    return clientFor(service.baseUrl, token, workspaceId)
  }
  zero = await clientOf('zero', { ceiling_microusd: '0', provider_ceiling_microusd: '0' })
  small = await clientOf('small', { ceiling_microusd: '1', provider_ceiling_microusd: '1' })
  const workspace = await client.call('createWorkspace', { body: { name: 'Elsewhere' }, headers: key() })
  elsewhere = await clientOf('elsewhere', {}, workspace.id)
  for (const { scope } of [...causing.map(id => api[id]), ...Object.values(others)]) {
    if (!withScopes.has(scope)) withScopes.set(scope, await clientOf(`without ${scope}`, { scopes: scopes.filter(s => s !== scope) }))
  }
  // When a key was last used is written to the minute, and the clock stands still.
  for (const one of [zero, small, elsewhere, ...withScopes.values()]) await one.call('getMe', {})
  database = watchDatabase(service.dataDir)
  expired = await clientOf('expired', { expires_at: new Date(clock.now().getTime() + 1000).toISOString() })
  clock.advance(1001)
  for (const one of [zero, small, elsewhere, ...withScopes.values()]) await one.call('getMe', {})
})
afterAll(async () => {
  database.close()
  await service.close()
  await Promise.all([judge.close(), paid.server.close(), closeRoute()])
})

const refused = <Id extends Causing>(client: TestClient, id: Id, except: readonly string[] = []) =>
  unchanged(() => client.refusal(id, requests[id]()), except)

/** @param except tables that the refusal may add to */
async function unchanged<T>(ask: () => Promise<T>, except: readonly string[] = []): Promise<T> {
  const asked = [judge.asked.length, paid.server.requests()]
  const before = database.now()
  const refusal = await ask()
  const after = database.now()
  const excepted = Object.fromEntries(except.map(table => [table, before[table]]))
  expect({ ...after, ...excepted }, 'the database after the refusal').toEqual(before)
  expect([judge.asked.length, paid.server.requests()], 'calls').toEqual(asked)
  return refusal
}

/** Arguments of a tool, from the request of its operation. */
function argumentsOf(name: ToolName): Record<string, unknown> {
  const more = { idempotency_key: crypto.randomUUID() }
  switch (name) {
    case 'submit_run':
      return { quote_id: ids['quote_id'], ...more }
    case 'evaluate_tasks':
      return { model: paid.id, task_selections: requests.createEvaluation().body.task_selections, ...more }
    case 'retry_failed':
      return { ...requests.retryFailed().params, ...more }
    case 'start_calibration':
      return { ...requests.createCalibration().body, ...more }
    case 'check_connection':
      return { ...requests.checkConnection().params }
  }
}

/** What a tool answers a key with, as an agent asks it. @throws where the key is let in nowhere */
async function toolRefusal(asker: TestClient, name: ToolName): Promise<string> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {} })
  const { 'x-workspace-id': _, ...headers } = asker.headers
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }))
    const { content, isError } = await client.callTool({ name, arguments: argumentsOf(name) })
    expect(isError).toBe(true)
    const [{ text }] = z.tuple([z.object({ text: z.string() })]).parse(content)
    return z.object({ error: z.object({ code: z.string() }) }).parse(JSON.parse(text)).error.code
  } finally {
    await client.close()
  }
}

/** Of what names things of another workspace in its body. */
const codeElsewhere: Partial<Record<Variant, string>> = {
  'a schedule of a free model beside a judge': 'validation_error',
  'a schedule of a free model on a benchmark with a judge': 'task_unavailable',
  'a schedule of a free model on a world with a judge': 'task_unavailable',
  'an evaluation of a free model beside a judge': 'validation_error',
  'an evaluation of a free model on a benchmark with a judge': 'task_unavailable',
  'models of the endpoint of a connection': 'validation_error',
}

describe('a tool leaves the database as it was where it is refused to a key', () => {
  test.each(Object.entries(tools))('%s', async (name, id) => {
    const tool = name as ToolName // of the entries of `tools`
    const refusedTo = (asker: TestClient) => unchanged(() => toolRefusal(asker, tool))
    const without = withScopes.get(api[id].scope)
    if (!without) throw new Error(`No key lacks ${api[id].scope}.`)
    expect(await refusedTo(zero)).toBe('spend_ceiling_reached')
    expect(await refusedTo(without)).toBe('missing_scope')
    expect(await refusedTo(elsewhere)).toBe('not_found')
  })
})

describe('a refused start leaves the database as it was, by a key', () => {
  const byPeople: Partial<Record<Causing, string>> = {
    tryConnection: 'owner_session_required',
    approveTuneSession: 'human_approval_required',
  }
  // A scorer's own check costs nothing that is known.
  test.each(causing.filter(id => id !== 'testRemoteScorer'))('with spending limits of 0: %s', async id => {
    expect((await refused(zero, id)).code).toBe(byPeople[id] ?? 'spend_ceiling_reached')
  })

  // Its monitor is judged once it has outputs, and a decision names the credit that it needs: both are answers, not refusals.
  test('with spending limits below what it costs, which a decision names', async () => {
    const { missing } = await unchanged(() => small.call('advanceReleaseDecision', requests.advanceReleaseDecision()), ['prompt_tokens'])
    expect(missing).toMatchObject([{ code: 'credit' }])
  })
  const answered: readonly Causing[] = ['queueTuneWorkload', 'advanceReleaseDecision', 'testRemoteScorer']
  test.each(causing.filter(id => !answered.includes(id)))('with spending limits below what it costs: %s', async id => {
    // Tokens of prompts are facts of the benchmark, kept for the next quote whoever asks for it.
    expect((await refused(small, id, ['prompt_tokens'])).code).toBe(byPeople[id] ?? 'spend_ceiling_reached')
  })

  test.each(causing)('without the scope of the area: %s', async id => {
    const client = withScopes.get(api[id].scope)
    if (!client) throw new Error(`No key lacks ${api[id].scope}.`)
    expect((await refused(client, id)).code).toBe('missing_scope')
  })

  test('without the scope of the area that a retried job belongs to', async () => {
    const client = withScopes.get('evaluators:write')
    if (!client) throw new Error('No key lacks evaluators:write.')
    expect((await refused(client, 'retryJob')).code).toBe('missing_scope')
  })

  test.each(causing)('of another workspace: %s', async id => {
    const { code } = await refused(elsewhere, id)
    expect(byPeople[id] ?? (code === 'validation_error' ? 'not_found' : code)).toBe(byPeople[id] ?? 'not_found')
  })

  test.each(variants)('with spending limits of 0: %s', async name => {
    expect((await unchanged(() => others[name].ask(zero))).code).toBe('spend_ceiling_reached')
  })

  test.each([...variants, ...keyed])('without the scope of the area, or of another workspace: %s', async name => {
    const { scope, ask } = others[name]
    const without = withScopes.get(scope)
    if (!without) throw new Error(`No key lacks ${scope}.`)
    expect((await unchanged(() => ask(without))).code).toBe('missing_scope')
    expect((await unchanged(() => ask(elsewhere))).code).toBe(codeElsewhere[name] ?? 'not_found')
  })

  test.each([...causing, ...variants, ...keyed])('that has expired: %s', async name => {
    // So many refused keys in a minute would be refused for their number.
    clock.advance(5_000)
    const refusal = name in others ? unchanged(() => others[name as Variant].ask(expired)) : refused(expired, name as Causing)
    expect((await refusal).code).toBe('unauthenticated')
  })

  test.each(Object.keys(tools))('that has expired: the tool %s', async name => {
    clock.advance(5_000)
    const tool = name as ToolName // a key of `tools`
    await unchanged(() => expect(toolRefusal(expired, tool)).rejects.toThrow(/401|unauthenticated/))
  })
})

/** An operation's queries: none, and each value of every parameter that has a few. */
function queriesOf({ query }: Endpoint): string[] {
  const { properties = {} } = query ? Properties.parse(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })) : {}
  const few = Object.entries(properties).flatMap(([name, { type, enum: values = type === 'boolean' ? [true, false] : [] }]) =>
    values.map(value => `?${name}=${encodeURIComponent(String(value))}`),
  )
  return ['', ...few]
}
const Properties = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional(), enum: z.array(z.unknown()).optional() })).optional(),
})

/** Of records that are not made here, of people, or with queries that have no default: only their refusal is read. */
const notRead: readonly OperationId[] = [
  ...(['proveIdentity', 'listSessions', 'getReceipt', 'getFeedback', 'listTasks', 'getEnvironment', 'getImport'] as const),
  ...(['getMedia', 'getMediaThumbnail', 'getAnswerImport', 'exportRunAs', 'getSample', 'getRunGroup', 'listItemUses'] as const),
  ...([
    'getSuite',
    'getPublicSuite',
    'getEvaluation',
    'getEvaluatorDraft',
    'listCalibrationExamples',
    'getComparison',
    'listComparedTasks',
  ] as const),
  ...([
    'listMatrix',
    'exportComparison',
    'getReleaseRecord',
    'listReleaseLabels',
    'getEvidence',
    'getEvidenceAnalysis',
    'listEvidenceTasks',
  ] as const),
  ...([
    'getIssue',
    'getReleaseCoverage',
    'getPackage',
    'listPackageReviews',
    'samplePackageTasks',
    'exportPackage',
    'getPrivateProfile',
  ] as const),
  ...([
    'getExample',
    'getVerificationHistory',
    'listTraceResources',
    'getTrace',
    'getDatasetImport',
    'getDatasetScan',
    'getTuneQuote',
  ] as const),
  ...(['exportTuneSession', 'getBatchMedia', 'getEnvironmentVersion', 'getEnvironmentDraft', 'listWebhookDeliveries'] as const),
]

test('no operation that reads causes a call, whichever view of it is asked for', async () => {
  const asked = [judge.asked.length, paid.server.requests()]
  const unread: string[] = []
  for (const [id, endpoint] of Object.entries<Endpoint>(api)) {
    // A stream of events answers until its client leaves.
    if (endpoint.method !== 'GET' || endpoint.kind === 'events') continue
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const path = fillPath(endpoint.path, Object.fromEntries(names.map(name => [name, ids[name] ?? crypto.randomUUID()])))
    let isRead = false
    for (const query of queriesOf(endpoint)) {
      clock.advance(1_000)
      const reply = await fetch(service.baseUrl + path + query, { headers: zero.headers })
      await reply.arrayBuffer()
      expect(reply.status, id + query).toBeLessThan(500)
      isRead ||= reply.ok
    }
    if (!isRead) unread.push(id)
  }
  expect([judge.asked.length, paid.server.requests()], 'calls').toEqual(asked)
  expect(unread.toSorted()).toEqual(notRead.toSorted())
})
