import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { Page } from '@playwright/test'
import { calibrated, connectJudge, drafted, jobEnd, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { readableSpans } from '../support/otlp.ts'
import { checkedPackage, sums } from '../support/packages.ts'
import { advanceFully, startAndFollow } from '../support/releases.ts'
import type { TestClient } from '../support/service.ts'
import { backfill, connect, startProvider } from '../support/trace-providers/connected.ts'
import { fakeTraces, fixedUuid } from '../support/trace-providers/scripted-server.ts'
import type { Scene } from './scenes.ts'

interface FilledWorkload {
  readonly scenes: readonly Scene[]
  readonly close: () => Promise<void>
}

interface Target {
  readonly client: TestClient
  readonly baseUrl: string
}

/** Another program may be using the machine. */
const patienceMs = 300_000

const oracle = (percent: number) => ({ kind: 'managed' as const, route_id: `assay/oracle-${percent}` })

/** Datasets, evaluators, release decisions, traces, packages, keys and a wallet, each in the states that their pages show. */
export async function fillWorkload({ client, baseUrl }: Target): Promise<FilledWorkload> {
  const judge = await startJudge(chat => `It ends in a digit.\nVERDICT: ${/1\d\.$/.test(materialOf(chat)[1] ?? '') ? 'fail' : 'pass'}`)
  const items = Array.from({ length: 130 }, (_, i) => ({ id: fixedUuid(5, i), question: `Question ${i}?`, answer: `Answer ${i}` }))
  const provider = await startProvider('langfuse', fakeTraces(40, Date.now() - 3_600_000), items)
  const scenes = [
    ...(await datasetScenes(client, await connectJudge(client, judge, { priced: true, concurrency: 8 }))),
    ...(await releaseScenes({ client, baseUrl })),
    ...(await traceScenes({ client, baseUrl }, provider.url)),
    ...(await accountScenes(client)),
  ]
  return { scenes, close: async () => void (await Promise.all([judge.close(), provider.close()])) }
}

async function datasetScenes(client: TestClient, connectionId: string): Promise<readonly Scene[]> {
  const { id: dataset } = await client.call('createDataset', { body: { name: 'Support answers', task: 'answer' } })
  const params = { dataset_id: dataset }
  const examples = Array.from({ length: 60 }, (_, i) => ({
    input: `A customer bought ${i} tickets and returned one. How many are left?`,
    output: `There are ${i % 4 === 0 ? i : i - 1}.`,
    expected: String(i - 1),
    label: i % 4 === 0 ? 'fail' : 'pass',
    metadata: { cluster: `day ${i % 7}` },
  }))
  const { items } = await client.call('addExamples', { params, body: { examples } })
  for (const { example_id } of items.slice(0, 45))
    await client.call('reviewExample', { params: { ...params, example_id }, body: { revision: 1, decision: 'approve' } })
  const version = await client.call('createDatasetVersion', { params, body: {} })
  const saved = await client.call('createEvaluator', {
    body: { name: 'Number is right', definition: { kind: 'deterministic', scorer: 'assay/numeric' } },
  })
  const judged = await saveJudge(client, connectionId)
  const bodyOf = (evaluator_version_id: string) => ({ evaluator_version_id, dataset_version_id: version.id })
  const exact = await calibrated(client, bodyOf(saved.id))
  const ofJudge = await calibrated(client, { ...bodyOf(judged.id), max_charge_microusd: '5000000' })
  const draft = await drafted(client, { dataset_version_id: version.id, mode: 'heuristic' })
  const stopped = await client.call('createEvaluatorDraft', {
    body: {
      dataset_version_id: version.id,
      mode: 'model',
      model: { kind: 'connection', connection_id: connectionId },
      max_charge_microusd: '1000000',
    },
  })
  await jobEnd(client, stopped.job_id)
  return [
    { name: 'filled-datasets', path: '/datasets' },
    { name: 'filled-dataset', path: `/datasets/${dataset}` },
    { name: 'filled-dataset-open', path: `/datasets/${dataset}?open=${items[3]?.example_id ?? ''}` },
    { name: 'filled-dataset-failing', path: `/datasets/${dataset}`, failing: /\/examples/ },
    { name: 'filled-dataset-review', path: `/datasets/${dataset}/review` },
    { name: 'filled-dataset-import', path: `/datasets/${dataset}/import` },
    { name: 'filled-dataset-version', path: `/datasets/${dataset}/versions/${version.id}` },
    { name: 'filled-evaluators', path: '/evaluators' },
    { name: 'filled-evaluator', path: `/evaluators/${saved.id}` },
    { name: 'filled-evaluator-judge', path: `/evaluators/${judged.id}` },
    { name: 'filled-evaluator-drafts', path: '/evaluators/drafts' },
    { name: 'filled-evaluator-draft', path: `/evaluators/drafts/${draft.id}` },
    { name: 'filled-evaluator-draft-failed', path: `/evaluators/drafts/${stopped.id}` },
    { name: 'filled-evaluator-draft-failing', path: `/evaluators/drafts/${draft.id}`, failing: /\/drafts?\// },
    { name: 'filled-calibration', path: `/evaluators/calibrations/${exact.id}` },
    { name: 'filled-calibration-judge', path: `/evaluators/calibrations/${ofJudge.id}` },
    { name: 'filled-calibration-end', path: `/evaluators/calibrations/${exact.id}`, open: toTheEnd },
  ]
}

async function releaseScenes({ client, baseUrl }: Target): Promise<readonly Scene[]> {
  const { latest_version: latest } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const source_ref = latest?.source_ref ?? ''
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `awp-${String(from + i).padStart(4, '0')}`)
  const group = (key: string, weight: number, critical: boolean, from: number, to: number) => ({
    key,
    title: key,
    weight,
    critical,
    selection: { task_selections: [{ source_ref, split: 'test' as const, task_ids: ids(from, to) }] },
  })
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'Word problems', groups: [group('main', 3, false, 1, 61), group('critical', 1, true, 61, 81)] },
  })
  const policy = await client.call('createReleasePolicy', {
    body: {
      name: 'Ship',
      rules: [
        { kind: 'min_score', key: 'score', threshold: 0.5 },
        { kind: 'superiority', key: 'better', delta: 0.1 },
        { kind: 'non_inferiority', key: 'not-worse', margin: 0.1, group: 'main' },
        { kind: 'no_critical_regression', key: 'critical' },
        { kind: 'max_error_rate', key: 'errors', threshold: 0.1 },
        { kind: 'max_cost', key: 'cost', max_microusd_per_task: '10' },
        { kind: 'max_latency', key: 'latency', quantile: 0.9, max_ms: 60_000 },
        { kind: 'min_coverage', key: 'graded', of: 'samples', share: 1 },
        { kind: 'min_labels', key: 'labels', min_n: 20, required: false },
        { kind: 'open_issues', key: 'issues', severity: 'high' },
      ],
    },
  })
  const plan = (name: string, candidate: number, baseline: number) =>
    client.call('createReleaseDecision', {
      body: {
        name,
        candidate: { label: `Oracle ${candidate}`, model: oracle(candidate) },
        baseline: { label: `Oracle ${baseline}`, model: oracle(baseline) },
        suite_version_id: suite.id,
        policy_id: policy.id,
        max_charge_microusd: '0',
      },
    })
  const draft = await plan('Planned release', 75, 50)
  const passing = await startAndFollow({ client }, (await plan('Better model', 90, 50)).id)
  const failing = await advanceFully({ client, baseUrl }, (await plan('Worse model', 50, 90)).id)
  const close = await advanceFully({ client, baseUrl }, (await plan('Much alike', 75, 75)).id)
  for (const [title, severity] of [
    ['Adds folders wrong', 'high'],
    ['Rounds money down', 'low'],
  ] as const)
    await client.call('createIssueEvent', { body: { type: 'open', title, severity, tasks: [{ source_ref, task_id: 'awp-0001' }] } })
  const statement = { text: 'Two of forty attacks got through.', figures: [{ metric: 'withstood', value: 0.95, n: 40 }] }
  const evidence = await client.call('createEvidence', {
    body: { name: 'Red team, week 47', format: 'manual', statement, source: { tool: 'Red team' } },
  })
  await client.call('analyzeEvidence', { params: { evidence_id: evidence.id }, body: {} })
  return [
    { name: 'filled-releases', path: '/releases' },
    { name: 'filled-release-draft', path: `/releases/${draft.id}` },
    { name: 'filled-release', path: `/releases/${passing.id}` },
    { name: 'filled-release-rules', path: `/releases/${passing.id}`, open: scrollTo('Rules') },
    { name: 'filled-release-failing-rules', path: `/releases/${failing.id}`, open: scrollTo('Rules') },
    { name: 'filled-release-close', path: `/releases/${close.id}`, open: scrollTo('Rules') },
    { name: 'filled-release-end', path: `/releases/${passing.id}`, open: toTheEnd },
    { name: 'filled-release-labels', path: `/releases/${passing.id}/labels` },
    { name: 'filled-release-unread', path: `/releases/${passing.id}`, failing: /\/v1\/releases\/decisions\// },
    { name: 'filled-release-assets', path: '/releases/assets' },
    { name: 'filled-release-evidence', path: '/releases/evidence' },
    { name: 'filled-release-evidence-detail', path: `/releases/evidence/${evidence.id}` },
    { name: 'filled-release-issues', path: '/releases/issues' },
    { name: 'filled-release-coverage', path: '/releases/coverage' },
    { name: 'filled-release-new', path: '/releases/new' },
    { name: 'filled-release-new-end', path: '/releases/new', open: toTheEnd },
  ]
}

async function traceScenes({ client, baseUrl }: Target, providerUrl: string): Promise<readonly Scene[]> {
  const exporter = new OTLPTraceExporter({ url: `${baseUrl}/v1/traces`, headers: { ...client.headers } })
  const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  const spans = await readableSpans(
    Array.from({ length: 12 }, (_, i) => ({
      name: 'answer a ticket',
      attributes: { 'openinference.span.kind': 'AGENT', 'input.value': `Where is parcel ${i}?`, 'output.value': 'On its way.' },
      children: [
        {
          name: 'chat gpt-6',
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.request.model': 'gpt-6',
            'gen_ai.input.messages': message('user', `Where is parcel ${i}?`),
            'gen_ai.output.messages': message('assistant', 'On its way.'),
            'gen_ai.usage.input_tokens': 12 + i,
            'gen_ai.usage.output_tokens': 4,
          },
          children: [
            {
              name: 'look up parcel',
              attributes: { 'gen_ai.operation.name': 'execute_tool' },
              ...(i % 3 === 0 && { error: 'No network' }),
            },
          ],
        },
      ],
    })),
  )
  await new Promise<void>(resolve => exporter.export(spans, () => resolve()))
  await exporter.shutdown()
  const integration = await connect(client, 'langfuse', providerUrl)
  await backfill(client, integration.id, { from: new Date(Date.now() - 7_200_000).toISOString() })
  const { items } = await client.call('listTraces', { query: { limit: 100 } })
  const failed = items.find(({ name, error_count: errors }) => name === 'answer a ticket' && errors > 0)
  return [
    { name: 'filled-traces', path: '/traces' },
    { name: 'filled-traces-none', path: '/traces?q=nothing-has-this' },
    { name: 'filled-trace', path: `/traces/${failed?.id ?? ''}` },
    { name: 'filled-trace-span', path: `/traces/${failed?.id ?? ''}`, open: page => page.getByText('look up parcel').first().click() },
    { name: 'filled-trace-provider', path: `/traces/${items.find(({ name }) => name !== 'answer a ticket')?.id ?? ''}` },
    { name: 'filled-trace-failing', path: `/traces/${failed?.id ?? ''}`, failing: /\/v1\/traces\// },
    { name: 'filled-trace-integrations', path: '/traces/integrations' },
    { name: 'filled-trace-integration', path: `/traces/integrations/${integration.id}` },
  ]
}

async function accountScenes(client: TestClient): Promise<readonly Scene[]> {
  const reviewed = await checkedPackage(client, sums(120), {}, patienceMs)
  const rejected = await checkedPackage(
    client,
    sums(40, 2000).map(row => ({ ...row, question: `sk-proj-${'a1B2'.repeat(10)} ${String(row['question'])}` })),
    { name: 'leaky-sums', title: 'Leaky sums' },
    patienceMs,
  )
  const buy = (amount_microusd: string, note: string) => client.call('createPurchase', { body: { amount_microusd, note } })
  const { id: paid } = await buy('12500000', 'November')
  await client.call('confirmPurchase', { params: { purchase_id: paid } })
  await buy('40000000', 'December')
  for (const [name, ceiling_microusd] of [
    ['CI pipeline', '5000000'],
    ['Notebook', null],
  ] as const)
    await client.call('createApiKey', { body: { name, scopes: ['runs:read', 'runs:write', 'quotes:write'], ceiling_microusd } })
  const { items: keys } = await client.call('listApiKeys', { query: { limit: 100 } })
  await client.call('inviteMember', { body: { name: 'Ada Lovelace', role: 'member' } })
  return [
    { name: 'filled-packages', path: '/creator' },
    { name: 'filled-package', path: `/creator/packages/${reviewed.id}` },
    { name: 'filled-package-end', path: `/creator/packages/${reviewed.id}`, open: toTheEnd },
    { name: 'filled-package-rejected', path: `/creator/packages/${rejected.id}` },
    { name: 'filled-namespaces', path: '/creator/namespaces' },
    { name: 'filled-wallet', path: '/workspace/wallet' },
    { name: 'filled-wallet-end', path: '/workspace/wallet', open: toTheEnd },
    { name: 'filled-wallet-failing', path: '/workspace/wallet', failing: /\/v1\/billing/ },
    { name: 'filled-receipt', path: `/workspace/wallet/receipts/${paid}` },
    { name: 'filled-keys', path: '/workspace/keys' },
    { name: 'filled-key', path: `/workspace/keys?open=${keys.find(({ name }) => name === 'CI pipeline')?.id ?? ''}` },
    { name: 'filled-keys-failing', path: '/workspace/keys', failing: /\/v1\/api-keys/ },
    { name: 'filled-members', path: '/workspace/members' },
  ]
}

function scrollTo(heading: string): (page: Page) => Promise<void> {
  return page =>
    page
      .getByRole('heading', { name: heading })
      .first()
      .evaluate(element => element.scrollIntoView({ block: 'start' }))
}

function toTheEnd(page: Page): Promise<void> {
  return page.locator('main').evaluate(main => main.scrollTo(0, main.scrollHeight))
}
