import { expect, test } from 'vitest'
import type { Tables } from '../../src/storage/schema/tables.ts'
import { sqlIn } from './parse-module.ts'
import { sources } from './sources.ts'

interface Ownership {
  /** The folder of `src/service`, and of `src/storage`, whose stores write it; `storage` for what the mechanisms of `src/storage` write. */
  readonly owner: string
  /** Who else writes it, each for a reason that its own file tells. */
  readonly writers?: readonly string[]
  /** Whose statements read it, beside those of its owner and writers: a join costs less than a question for each row. */
  readonly readers?: readonly string[]
}

/** Every table belongs to one feature; the compiler misses none. `lifecycle` makes the owner and seals secrets of earlier versions, `backups` carries access, limits and ends over a restore. */
const tables: Readonly<Record<keyof Tables, Ownership>> = {
  settings: { owner: 'storage' },
  commits: { owner: 'storage' },
  transitions: { owner: 'storage', readers: ['webhooks'] },
  idempotency: { owner: 'http' },
  workspaces: { owner: 'workspace', writers: ['lifecycle'], readers: ['auth'] },
  people: { owner: 'workspace', writers: ['lifecycle'], readers: ['auth', 'backups', 'installation'] },
  members: { owner: 'workspace', writers: ['lifecycle', 'backups'], readers: ['auth', 'creator'] },
  sessions: { owner: 'sessions', writers: ['backups'], readers: ['auth', 'runs', 'workspace'] },
  pairing_codes: { owner: 'sessions', writers: ['backups'] },
  api_keys: { owner: 'keys', writers: ['auth', 'backups', 'lifecycle'] },
  benchmarks: { owner: 'catalog', writers: ['items'], readers: ['creator', 'suites'] },
  benchmark_versions: { owner: 'catalog', readers: ['suites'], writers: ['items'] },
  profiles: { owner: 'catalog', readers: ['creator', 'suites', 'items'] },
  tasks: { owner: 'catalog', readers: ['answers', 'comparisons', 'runs', 'suites', 'quotes'] },
  imports: { owner: 'catalog' },
  connections: { owner: 'connections', writers: ['lifecycle', 'backups'] },
  found_runtimes: { owner: 'connections' },
  quotes: { owner: 'quotes', readers: ['runs', 'items'] },
  prompt_tokens: { owner: 'quotes' },
  runs: {
    owner: 'runs',
    writers: ['backups', 'evaluators'],
    readers: ['annotations', 'billing', 'doctor', 'evaluations', 'items', 'keys', 'quotes', 'run-groups', 'storage', 'webhooks'],
  },
  run_counts: { owner: 'runs', readers: ['doctor', 'storage'] },
  run_profiles: { owner: 'runs', readers: ['items'] },
  run_scores: { owner: 'runs' },
  samples: { owner: 'runs', readers: ['answers', 'doctor'] },
  attempts: { owner: 'runs', readers: ['doctor'] },
  scores: { owner: 'runs', readers: ['answers', 'doctor'] },
  results: { owner: 'runs' },
  superseded_samples: { owner: 'runs' },
  transcript_blocks: { owner: 'runs' },
  cached_answers: { owner: 'runs' },
  regrades: { owner: 'runs' },
  run_groups: { owner: 'run-groups', readers: ['items'] },
  run_group_runs: { owner: 'run-groups' },
  evaluator_uses: { owner: 'runs', readers: ['items'] },
  item_marks: { owner: 'items', writers: ['retention'], readers: ['catalog', 'runs'] },
  carried_spending: { owner: 'backups', readers: ['keys'] },
  retention_rules: { owner: 'retention', writers: ['backups'] },
  retention_events: { owner: 'retention' },
  retention_clock: { owner: 'retention' },
  run_marks: { owner: 'annotations', readers: ['runs'] },
  run_notes: { owner: 'annotations' },
  accounts: { owner: 'billing', readers: ['doctor'] },
  transfers: { owner: 'billing', readers: ['doctor'] },
  purchases: { owner: 'billing', readers: ['doctor'] },
  feedback: { owner: 'feedback' },
  comparisons: { owner: 'comparisons', writers: ['items'] },
  comparison_runs: { owner: 'comparisons', writers: ['items'] },
  release_suites: { owner: 'releases', readers: ['items'] },
  release_policies: { owner: 'releases' },
  release_evidence: { owner: 'releases' },
  release_analyses: { owner: 'releases' },
  release_analysis_tasks: { owner: 'releases' },
  release_calibrations: { owner: 'releases', readers: ['items'] },
  release_issues: { owner: 'releases', readers: ['retention', 'items'] },
  release_issue_tasks: { owner: 'releases', readers: ['items'] },
  release_issue_events: { owner: 'releases' },
  release_decisions: { owner: 'releases', writers: ['items'], readers: ['webhooks'] },
  release_evaluations: { owner: 'releases', writers: ['items'] },
  release_labels: { owner: 'releases', readers: ['items'] },
  release_records: { owner: 'releases', readers: ['items'] },
  release_keys: { owner: 'releases', writers: ['lifecycle'] },
  suite_versions: { owner: 'suites', writers: ['items'] },
  evaluations: { owner: 'evaluations', readers: ['items', 'runs'] },
  network_hosts: { owner: 'network' },
  jobs: { owner: 'jobs', writers: ['backups', 'retention'] },
  answer_imports: { owner: 'answers' },
  log_scores: { owner: 'answers', writers: ['runs'] },
  creator_namespaces: { owner: 'creator' },
  creator_packages: { owner: 'creator', readers: ['items'] },
  creator_reviews: { owner: 'creator' },
  installation: { owner: 'installation', writers: ['backups'] },
  local_route_rates: { owner: 'connections' },
  local_model_files: { owner: 'local-models' },
  local_model_folders: { owner: 'local-models' },
  local_model_settings: { owner: 'local-models' },
  local_model_speeds: { owner: 'local-models' },
  endpoint_outages: { owner: 'runs' },
  trace_integrations: { owner: 'traces', writers: ['lifecycle'] },
  traces: { owner: 'traces', writers: ['retention'], readers: ['items'] },
  spans: { owner: 'traces', writers: ['retention'] },
  span_revisions: { owner: 'traces', writers: ['retention'] },
  trace_annotations: { owner: 'traces', writers: ['retention'] },
  workload_sources: { owner: 'traces', writers: ['items'] },
  workload_source_items: { owner: 'traces', writers: ['items'] },
  datasets: { owner: 'datasets', writers: ['items'], readers: ['evaluators'] },
  dataset_examples: { owner: 'datasets', writers: ['items'] },
  dataset_revisions: { owner: 'datasets', writers: ['items'] },
  dataset_labels: { owner: 'datasets', writers: ['items'] },
  dataset_verifications: { owner: 'datasets', writers: ['items'] },
  dataset_versions: { owner: 'datasets', writers: ['items'], readers: ['evaluators'] },
  dataset_version_examples: { owner: 'datasets', writers: ['items'] },
  dataset_imports: { owner: 'datasets', writers: ['items'] },
  dataset_scans: { owner: 'datasets', writers: ['items'] },
  dataset_facets: { owner: 'datasets', writers: ['items'] },
  evaluator_versions: { owner: 'evaluators', writers: ['items'], readers: ['runs'] },
  remote_scorers: { owner: 'evaluators', writers: ['lifecycle'] },
  remote_calls: { owner: 'evaluators' },
  judge_budgets: { owner: 'evaluators', readers: ['doctor', 'keys'] },
  judge_calls: { owner: 'evaluators', readers: ['doctor'] },
  calibrations: { owner: 'evaluators', readers: ['items'] },
  calibration_items: { owner: 'evaluators' },
  evaluator_drafts: { owner: 'evaluators', readers: ['items'] },
  regrade_quotes: { owner: 'evaluators', writers: ['items'] },
  dataset_benchmarks: { owner: 'evaluators', writers: ['items'] },
  world_drafts: { owner: 'worlds' },
  world_versions: { owner: 'worlds', readers: ['items'] },
  batches: { owner: 'runs' },
  batch_items: { owner: 'runs' },
  schedules: { owner: 'schedules', writers: ['backups'], readers: ['webhooks', 'items'] },
  schedule_occurrences: { owner: 'schedules' },
  webhooks: { owner: 'webhooks', writers: ['lifecycle', 'backups'], readers: ['retention'] },
  webhook_deliveries: { owner: 'webhooks', writers: ['retention'] },
  webhook_budgets: { owner: 'webhooks' },
  tune_sessions: { owner: 'tuning', writers: ['items'] },
  tune_drafts: { owner: 'tuning', readers: ['items'] },
  tune_cases: { owner: 'tuning' },
  tune_quotes: { owner: 'tuning' },
  tune_groups: { owner: 'tuning', readers: ['items'] },
  tune_arms: { owner: 'tuning', readers: ['items'] },
  tune_searches: { owner: 'tuning', readers: ['items'] },
  tune_monitors: { owner: 'tuning', writers: ['backups', 'items'], readers: ['webhooks', 'retention'] },
  tune_occurrences: { owner: 'tuning', readers: ['webhooks', 'retention', 'items'] },
  tune_outputs: { owner: 'tuning' },
  media: { owner: 'media' },
  media_references: { owner: 'media' },
  resized_media: { owner: 'media' },
  trace_media: { owner: 'media' },
  workers: { owner: 'workers' },
  worker_keys: { owner: 'workers' },
}

/** `quotes` of `service/quotes/quotes.store.ts`; `storage` of `storage/settings.ts`. */
function featureOf(file: string): string {
  const [runtime = '', folder = ''] = file.split('/')
  return /\.tsx?$/.test(folder) ? runtime : folder
}

/** What a module does with tables of others, or of nobody. `storage/reads` answers for every feature, and writes nothing. */
function violations(file: string, text: string): string[] {
  const feature = featureOf(file)
  return sqlIn(file, text).tables.flatMap(({ table, writes }) => {
    const known = Object.entries(tables).find(([name]) => name === table)?.[1]
    if (!known) return []
    const { owner, writers = [], readers = [] } = known
    if (!writes && file.startsWith('storage/reads/')) return []
    const allowed = [owner, ...writers, ...(writes ? [] : readers)]
    return allowed.includes(feature) ? [] : [`${file} ${writes ? 'writes' : 'reads'} ${table}, which belongs to ${owner}`]
  })
}

/** Migrations write what they make. */
const statements = sources.filter(({ file }) => !file.startsWith('storage/migrations/'))
const service = sources.filter(({ file }) => file.startsWith('service/') || file.startsWith('storage/runs/'))

test('every table is used only by its feature and by those that are named here', () => {
  expect(statements.flatMap(({ file, text }) => violations(file, text))).toEqual([])
})

test('every exception named here is in use', () => {
  const uses = service.flatMap(({ file, text }) => sqlIn(file, text).tables.map(use => ({ ...use, feature: featureOf(file) })))
  const idle = Object.entries(tables).flatMap(([table, { writers = [], readers = [] }]) => {
    const has = (feature: string, writes: boolean) =>
      uses.some(use => use.table === table && use.feature === feature && (use.writes || !writes))
    return [
      ...writers.filter(feature => !has(feature, true)).map(feature => `${feature} does not write ${table}`),
      ...readers.filter(feature => !has(feature, false)).map(feature => `${feature} does not read ${table}`),
    ]
  })
  expect(idle).toEqual([])
})

test('SQL occurs only in stores', () => {
  const elsewhere = service.filter(({ file, text }) => !file.endsWith('.store.ts') && sqlIn(file, text).isUsed)
  expect(elsewhere.map(({ file }) => file)).toEqual([])
})

test.each([
  ['service/quotes/x.store.ts', "db.run(db.sql.updateTable('runs').set({ name: '' }))"],
  ['service/billing/x.store.ts', 'db.prepare(`delete from samples where run_no = ?`)'],
  ['storage/reads/x.ts', "db.prepare('update runs set name = ?')"],
  ['storage/billing/x.store.ts', "db.prepare('delete from feedback')"],
  ['storage/x.ts', "db.run(db.sql.insertInto('samples').values(row))"],
  ['workers/x.worker.ts', "db.prepare('insert or replace into results values (?)')"],
  ['headless/x.ts', "db.prepare('select * from api_keys')"],
  ['service/feedback/x.store.ts', "db.all(db.sql.selectFrom('connections as c').selectAll())"],
  ['service/feedback/x.store.ts', "db.all(db.sql.selectFrom(['feedback', 'connections as c']).selectAll())"],
  ['service/feedback/x.store.ts', "db.all(db.sql.selectFrom('feedback').fullJoin('connections as c', 'c.id', 'feedback.id'))"],
  ['service/feedback/x.store.ts', "db.run(db.sql.replaceInto('item_marks').values(row))"],
  ['service/feedback/x.store.ts', "db.prepare('select 1 from feedback f, connections c')"],
  ['service/feedback/x.store.ts', "db.prepare('replace into runs values (?)')"],
  ['service/feedback/x.store.ts', "db.prepare('update or ignore runs set name = ?')"],
  ['service/feedback/x.store.ts', 'db.prepare(\'update main."runs" set name = ?\')'],
])('a planted violation in %s is seen', (file, text) => {
  expect(violations(file, text)).toEqual([expect.any(String)])
})

test.each(["db.sql.selectFrom('runs')", 'kernel.db.prepare(text)', "db.pragma('quick_check')"])('%s is SQL, a comment is none', text => {
  expect(sqlIn('service/runs/x.ts', text).isUsed).toBe(true)
  expect(sqlIn('service/runs/x.ts', `// ${text}\nconst text = "${text.replaceAll('"', '')}"`).isUsed).toBe(false)
})
