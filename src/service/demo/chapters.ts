import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseReply } from '../../contract/client-by-id.ts'
import { isTerminal } from '../../contract/machine.ts'
import type { ModelChoice } from '../../contract/quotes/quotes.schemas.ts'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import { measuredName } from '../../lib/format/benchmark-names.ts'
import { shippedPath } from '../../engine/content/shipped-path.ts'
import { simulatedJudge } from '../../engine/execution/judging/simulated-judge.ts'
import type { DemoTools } from './demo-tools.ts'
import { runSmallAgent } from './small-agent.ts'

export const Made = z.object({
  /** Chapters that are whole. */
  chapters: z.int(),
  /** Of models A, B and C. */
  runIds: z.array(z.string()),
})
type Made = z.infer<typeof Made>

interface Chapter {
  /** Shown while it is made. */
  readonly title: string
  /** Answers the runs that later chapters use, where it made them. */
  make(tools: DemoTools, made: Made): Promise<readonly string[] | void>
}

const modelA = { kind: 'managed', route_id: 'assay/oracle-90' } as const
const modelB = { kind: 'managed', route_id: 'assay/hasty' } as const
const modelC = { kind: 'managed', route_id: 'assay/oracle-75' } as const
const benchmark = 'arithmetic-word-problems'
const free = { max_charge_microusd: '0' } as const

/** In this order; each rests on the ones before it. */
export const chapters: readonly Chapter[] = [
  { title: 'Three runs of simulated models', make: makeRuns },
  { title: 'A comparison', make: makeComparison },
  { title: 'A dataset with labels, and a calibrated judge', make: makeDataset },
  { title: 'A release decision with its record', make: makeDecision },
  { title: 'A race of models', make: makeRace },
  { title: 'Traces of a small agent', make: makeTraces },
  { title: 'A benchmark package', make: makePackage },
  { title: 'Conversations with a customer desk', make: makeEpisodes },
  { title: 'An issue, evidence and drafts of an evaluator', make: makeFindings },
  { title: 'A monitor and a schedule', make: makeWatch },
]

/** The profiles of a benchmark that the demo runs. */
async function profilesOf({ call }: DemoTools, slug: string): Promise<string[]> {
  const { profiles } = await call('getBenchmark', { params: { slug } })
  return profiles.slice(0, 1).map(({ id }) => id)
}

async function makeRuns(tools: DemoTools): Promise<readonly string[]> {
  const { call, runEnded } = tools
  const profile_ids = await profilesOf(tools, benchmark)
  const runIds: string[] = []
  for (const [letter, model] of [
    ['A', modelA],
    ['B', modelB],
    ['C', modelC],
  ] as const) {
    const quote = await call('createQuote', { body: { model, selection: { profile_ids }, coverage: { mode: 'full' }, ...free } })
    const { run } = await call('submitRun', { body: { quote_id: quote.id, name: `Model ${letter}: ${measuredName(quote)}` } })
    runIds.push(run.id)
  }
  for (const id of runIds) await runEnded(id)
  return runIds
}

async function makeComparison({ call }: DemoTools, { runIds }: Made): Promise<void> {
  const [baseline_id = ''] = runIds
  await call('createComparison', { body: { name: 'Models B and C against model A', run_ids: [...runIds], baseline_id } })
}

/** Left for a visitor to review. */
const unreviewed = 4

async function makeDataset({ call, send, jobDone }: DemoTools): Promise<void> {
  const { id: dataset_id } = await call('createDataset', {
    body: {
      name: 'Answers of a support desk',
      task: 'answer',
      description: 'Invented questions and answers; examples and labels ship with Assay.',
    },
  })
  const form = new FormData()
  const labels = { 'Annotator A': 'annotator_a', 'Annotator B': 'annotator_b', 'Annotator C': 'annotator_c' }
  const mapping = { input: 'question', output: 'answer', expected: 'reference', labels }
  form.append('format', 'jsonl')
  form.append('mapping', JSON.stringify(mapping))
  form.append('file', new Blob([readFileSync(shippedPath('demo/support-answers.jsonl'))]), 'support-answers.jsonl')
  const imported = parseReply('createDatasetImport', { status: 202, text: await send(`/v1/datasets/${dataset_id}/imports`, { form }) })
  await jobDone(imported.job_id)
  const { items } = await call('listExamples', { params: { dataset_id }, query: { limit: 100 } })
  const examples = items.slice(0, -unreviewed).map(({ id, revision }) => ({ example_id: id, revision }))
  await call('reviewExamples', { params: { dataset_id }, body: { examples, decision: 'approve' } })
  const version = await call('createDatasetVersion', { params: { dataset_id }, body: { name: 'First version' } })
  const judge = await call('createEvaluator', {
    body: {
      name: 'Answer agrees with the reference',
      definition: {
        kind: 'model_graded',
        judges: [{ model: { kind: 'managed', route_id: simulatedJudge.routeId } }],
        mode: 'classification',
        reference: 'expected',
        instructions: 'Does the answer tell the customer what the reference says, and nothing that contradicts it?',
        menu: [
          { value: 'pass', meaning: 'It says what the reference says.', passes: true },
          { value: 'fail', meaning: 'It leaves something out or contradicts it.', passes: false },
        ],
      },
    },
  })
  const { job_id } = await call('createCalibration', {
    body: { evaluator_version_id: judge.id, dataset_version_id: version.id, ...free },
  })
  await jobDone(job_id)
}

async function makeDecision({ call, until }: DemoTools): Promise<void> {
  const { latest_version: latest } = await call('getBenchmark', { params: { slug: benchmark } })
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `awp-${String(from + i).padStart(4, '0')}`)
  const group = (key: string, title: string, critical: boolean, task_ids: string[]) => ({
    key,
    title,
    weight: critical ? 1 : 3,
    critical,
    selection: { task_selections: [{ source_ref: latest?.source_ref ?? '', split: 'test' as const, task_ids }] },
  })
  const suite = await call('createReleaseSuite', {
    body: {
      name: 'Word problems',
      groups: [group('usual', 'Usual questions', false, ids(1, 101)), group('critical', 'Critical questions', true, ids(101, 121))],
    },
  })
  const policy = await call('createReleasePolicy', {
    body: {
      name: 'Better, and reliable',
      rules: [
        { kind: 'min_score', key: 'score', threshold: 0.7 },
        { kind: 'superiority', key: 'better', delta: 0.05 },
        { kind: 'max_error_rate', key: 'errors', threshold: 0.05 },
      ],
    },
  })
  const decision = await call('createReleaseDecision', {
    body: {
      name: 'Replace model B by model A',
      candidate: { label: 'Model A', model: modelA },
      baseline: { label: 'Model B', model: modelB },
      suite_version_id: suite.id,
      policy_id: policy.id,
      ...free,
    },
  })
  const params = { decision_id: decision.id }
  const read = () => call('getReleaseDecision', { params })
  const isOver = ({ status }: typeof decision) => isTerminal(decisionMachine, status)
  if (decision.status === 'draft') await call('advanceReleaseDecision', { params })
  const analyzed = await until(read, found => isOver(found) || found.status === 'awaiting_human')
  if (isOver(analyzed)) return
  const verdict = analyzed.recommendation ?? 'inconclusive'
  const rationale = 'Given by the demo as the recommendation says; no person has looked at it.'
  await call('createReleaseLabel', { body: { target: params, verdict, rationale } })
  await call('advanceReleaseDecision', { params })
}

const fewestCases = 100

async function makeRace({ call, jobDone }: DemoTools): Promise<void> {
  const { id: session_id } = await call('createTuneSession', {
    body: {
      name: 'A better model for sums',
      call: { model: modelC, prompt_template: 'Answer with a number: {input}', source: { kind: 'manual' } },
      grader: { scorer: 'assay/exact_match' },
      cases: Array.from({ length: fewestCases }, (_, i) => ({
        input: `What is ${i + 11} plus ${3 * i + 7}?`,
        expected: String(4 * i + 18),
      })),
      objective: { margin: 0.1 },
    },
  })
  const params = { session_id }
  const { status, revision } = await call('getTuneSession', { params })
  if (status === 'draft') await call('approveTuneSession', { params, body: { revision } })
  const candidate = (label: string, model: ModelChoice) => ({ label, model, effort: null })
  const quote = await call('createTuneQuote', {
    params,
    body: {
      candidates: [candidate('Model A', modelA), candidate('Guessing', { kind: 'managed', route_id: 'assay/random' })],
      mode: 'race',
      ...free,
    },
  })
  const { job_id } = await call('startTuneGroup', { params, body: { quote_id: quote.id } })
  await jobDone(job_id)
}

async function makeTraces({ send }: DemoTools): Promise<void> {
  await send('/v1/traces', { json: runSmallAgent() })
}

async function makePackage({ call, jobDone, workspaceId }: DemoTools): Promise<void> {
  // Names of namespaces are unique on a machine, which may have several demos.
  const namespace = `demo-${workspaceId.slice(-8)}`
  await call('createNamespace', { body: { name: namespace, title: 'Demo', description: 'Belongs to a demo workspace.' } })
  const made = await call('createPackage', {
    body: {
      manifest: {
        format: 'assay.package/1',
        namespace,
        name: 'stationery',
        version: '1.0.0',
        title: 'Prices of stationery',
        summary: 'What several notebooks and pens cost together.',
        license: 'MIT',
        creators: [{ name: 'The Assay developers' }],
        languages: ['en'],
        capabilities: ['arithmetic'],
        derived_from: [],
        extractive: false,
        runner: 'inspect',
        fields: { id: 'id', input: 'question', target: 'answer' },
        profiles: [
          {
            key: 'zero-shot',
            title: 'Zero-shot',
            split: 'test',
            prompt_template: '{input}\n\nReply with the number alone.',
            metrics: [{ id: 'exact', title: 'Exact match', scorer: 'assay/exact_match', primary: true }],
          },
        ],
      },
      tasks: { test: Array.from({ length: 60 }, (_, i) => stationeryTask(i)) },
    },
  })
  if ('dry_run' in made) return
  await jobDone(made.job_id)
  const params = { package_id: made.id }
  const checked = await call('getPackage', { params })
  if (checked.status === 'in_review')
    await call('createPackageReview', { params, body: { outcome: 'approve', note: 'Approved by the demo; no person has looked at it.' } })
  if ((await call('getPackage', { params })).status === 'accepted') await call('publishPackage', { params })
}

async function makeEpisodes(tools: DemoTools): Promise<void> {
  const { call, runEnded } = tools
  const coverage = { mode: 'sample', sample_count: 6, seed: 1 } as const
  const selection = { profile_ids: await profilesOf(tools, 'customer-desk') }
  const quote = await call('createQuote', { body: { model: modelC, selection, coverage, ...free } })
  const { run } = await call('submitRun', { body: { quote_id: quote.id, name: `Model C: ${measuredName(quote)}` } })
  await runEnded(run.id)
}

async function makeFindings({ call, send, jobDone }: DemoTools, { runIds: [modelARun = '', modelBRun = ''] }: Made): Promise<void> {
  const { latest_version: latest } = await call('getBenchmark', { params: { slug: benchmark } })
  const failed = await call('listSamples', { params: { run_id: modelBRun }, query: { passed: 'false', limit: 3 } })
  const tasks = failed.items.map(({ task_id }) => ({ source_ref: latest?.source_ref ?? '', task_id }))
  await call('createIssueEvent', { body: { type: 'open', title: 'Model B skips steps of long questions', severity: 'high', tasks } })
  const content = await send(`/v1/runs/${modelARun}/exports/junit`)
  await call('createEvidence', { body: { name: 'Model A, as JUnit XML', format: 'junit', content, source: { tool: 'Assay' } } })
  const [dataset] = (await call('listDatasets', { query: {} })).items
  const dataset_version_id = dataset?.latest_version?.id ?? ''
  const { job_id } = await call('createEvaluatorDraft', { body: { dataset_version_id, mode: 'heuristic' } })
  await jobDone(job_id)
}

/** Both are paused, so that a demo starts no work by itself. */
async function makeWatch(tools: DemoTools, { runIds: [, run_id = ''] }: Made): Promise<void> {
  const { call, jobDone } = tools
  const profile_ids = await profilesOf(tools, benchmark)
  const limits = { ...free, max_monthly_microusd: '0' }
  const { id: monitor_id } = await call('createTuneMonitor', {
    body: { name: 'Model B', profile_id: profile_ids[0], baseline: { run_id }, schedule: 'day', ...limits },
  })
  const params = { monitor_id }
  await call('createTuneMonitorEvent', { params, body: { type: 'manual', note: 'Asked by the demo' } })
  for (const { job_id } of await call('listTuneOccurrences', { params, query: {} })) await jobDone(job_id)
  await call('patchTuneMonitor', { params, body: { status: 'paused' } })
  const { id: schedule_id } = await call('createSchedule', {
    body: {
      name: 'Model B every morning',
      cron: '0 6 * * *',
      terms: { models: [modelB], selection: { profile_ids }, coverage: { mode: 'full' }, ...free },
      max_monthly_microusd: '0',
    },
  })
  await call('changeSchedule', { params: { schedule_id }, body: { status: 'paused' } })
}

function stationeryTask(i: number) {
  const [notebooks, pens, notebookPrice, penPrice] = [2 + (i % 7), 3 + (i % 11), 3 + (i % 5), 1 + (i % 3)]
  const question = `A notebook costs ${notebookPrice} dollars and a pen costs ${penPrice}. What do ${notebooks} notebooks and ${pens} pens cost together, in dollars?`
  return { id: `stationery-${i + 1}`, question, answer: String(notebooks * notebookPrice + pens * penPrice) }
}
