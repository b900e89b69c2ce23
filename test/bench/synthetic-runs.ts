import type { Metric } from '../../src/contract/catalog/benchmarks.schemas.ts'
import { ExecutionSettings, type FrozenProfile, type Quote } from '../../src/contract/quotes/quotes.schemas.ts'
import type { Results } from '../../src/contract/runs/results.schemas.ts'
import { summarizeSamples } from '../../src/engine/reporting/results/run-results.ts'
import { mulberry32, type Random } from '../../src/engine/statistics/random.ts'
import type { Database } from '../../src/storage/database.ts'
import { readResultSamples } from '../../src/storage/reads/run-samples.ts'
import { nextNumber } from '../../src/storage/row-numbers.ts'
import { sampleId } from '../../src/storage/sample-id.ts'
import { encodeTask } from '../../src/storage/task-content.ts'

/** Fills a database with benchmarks and finished runs, past the service, for measuring what reads them. */

const at = '2026-11-20T09:30:00.000Z'
const digest = '0'.repeat(64)

export interface SyntheticBenchmark {
  readonly slug: string
  readonly tasks: number
  /** First words of the task of that place. */
  readonly preview: (place: number, random: Random) => string
  readonly capabilities: (place: number) => readonly string[]
  readonly facets: (place: number) => Readonly<Record<string, string>>
  /** The question of the task of that place. */
  readonly question?: (place: number) => string
  /** Its versions, oldest first; one by default. */
  readonly versions?: number
}

export interface InsertedBenchmark {
  readonly slug: string
  readonly sourceRef: string
  readonly versionNo: number
  readonly version: string
  /** Number of the first task of the latest version; the others follow. */
  readonly firstTask: number
  readonly tasks: number
}

export function insertBenchmark(db: Database, wish: SyntheticBenchmark): InsertedBenchmark {
  const { slug, versions = 1 } = wish
  const random = mulberry32(1)
  return db.transaction(() => {
    const definition = {
      slug,
      provider: 'bench',
      name: slug,
      title: slug.replaceAll('-', ' '),
      summary: `Synthetic tasks called ${slug}.`,
      description: '',
      howMade: '',
      knownLimits: [],
      runner: 'inspect',
      capabilities: [...wish.capabilities(0)],
      license: { name: 'none', url: null },
      citation: null,
      homepage: null,
    }
    const { lastInsertRowid: benchmarkNo } = db.run(
      db.sql.insertInto('benchmarks').values({
        workspace_id: null,
        slug,
        origin: 'bundled',
        status: 'active',
        title: definition.title,
        runner: 'inspect',
        definition: JSON.stringify(definition),
        search: slug,
        created_at: at,
      }),
    )
    const versionsMade = Array.from({ length: versions }, (_, i) =>
      insertVersion(db, { ...wish, benchmarkNo: Number(benchmarkNo), version: String(i + 1) }, random),
    )
    const last = versionsMade.at(-1)
    if (!last) throw new Error('A benchmark needs a version.')
    return last
  })
}

function insertVersion(
  db: Database,
  wish: SyntheticBenchmark & { readonly benchmarkNo: number; readonly version: string },
  random: Random,
): InsertedBenchmark {
  const { slug, tasks, version } = wish
  const sourceRef = `eval://bench/${slug}/${version}`
  const { lastInsertRowid: versionNo } = db.run(
    db.sql.insertInto('benchmark_versions').values({
      benchmark_no: wish.benchmarkNo,
      version,
      source_ref: sourceRef,
      digest,
      task_count: tasks,
      files: '[]',
      shots: '[]',
      state: 'ready',
      created_at: at,
    }),
  )
  const profile = {
    key: 'default',
    title: 'Default',
    summary: '',
    split: 'test',
    systemPrompt: null,
    promptTemplate: '{question}',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 256, stop: [] },
    metrics: [metric('exact', true)],
    requires: ['chat'],
    chanceLevel: null,
    breakdowns: [],
  }
  db.run(
    db.sql.insertInto('profiles').values({
      id: `${slug}@${version}:default`,
      version_no: versionNo,
      position: 0,
      definition: JSON.stringify(profile),
      prompt_digest: digest,
    }),
  )
  const contentOf = (question: string) =>
    encodeTask({
      id: 'x',
      split: 'test',
      fields: { question },
      targets: ['x'],
      choices: null,
      metadata: {},
      capabilities: [],
      dependsOn: [],
    })
  const usual = contentOf('x')
  const insert = db.prepare(
    `insert into tasks (version_no, position, task_id, split, preview, input_characters, choices, capabilities, depends_on, facets, content)
       values (?, ?, ?, 'test', ?, 200, null, ?, '[]', ?, ?)`,
  )
  let first = 0
  for (let place = 0; place < tasks; place++) {
    const { lastInsertRowid } = insert.run(
      versionNo,
      place,
      `${slug}-${place}`,
      wish.preview(place, random),
      JSON.stringify(wish.capabilities(place)),
      JSON.stringify(wish.facets(place)),
      wish.question ? contentOf(wish.question(place)) : usual,
    )
    if (place === 0) first = Number(lastInsertRowid)
  }
  return { slug, sourceRef, versionNo, version, firstTask: first, tasks }
}

/** A scorer that this build has, so that the benchmark counts as runnable; nothing is scored by it here. */
const scorer = 'lm_eval/gsm8k_flexible'

export function metric(id: string, binary: boolean): Metric {
  return { id, title: id, scorer, scorer_version: 1, options: {}, binary, primary: true }
}

export interface SyntheticRun {
  readonly workspaceId: string
  readonly model: string
  readonly metric: Metric
  /** Score of the task of that place. */
  readonly value: (place: number, random: Random) => number
  /** What the scorer said of the task of that place. */
  readonly explanation?: (place: number) => string
}

/** A complete run of every task; answers its id. */
export function insertRun(
  db: Database,
  benchmark: InsertedBenchmark,
  { workspaceId, model, metric: scored, value, explanation }: SyntheticRun,
): string {
  const id = crypto.randomUUID()
  const quoteId = crypto.randomUUID()
  const { slug, sourceRef, tasks, version } = benchmark
  const profile: FrozenProfile = {
    profile_id: `${slug}@${version}:default`,
    title: 'Default',
    slug,
    source_ref: sourceRef,
    version_digest: digest,
    prompt_digest: digest,
    split: 'test',
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 256, stop: [] },
    metrics: [scored],
    chance_level: null,
    tasks_available: tasks,
    tasks_selected: tasks,
  }
  const quote = quoteOf(quoteId, model, profile)
  const random = mulberry32(model.length + tasks)
  return db.transaction(() => {
    db.run(
      db.sql.insertInto('quotes').values({
        id: quoteId,
        workspace_id: workspaceId,
        created_at: at,
        expires_at: at,
        record: JSON.stringify(quote),
        task_numbers: new Uint8Array(),
      }),
    )
    const runNo = nextNumber(db, 'runs')
    db.run(
      db.sql.insertInto('runs').values({
        no: runNo,
        id,
        workspace_id: workspaceId,
        quote_id: quoteId,
        operation_key: null,
        principal_id: 'bench',
        name: model,
        status: 'complete',
        accounting_state: 'settled',
        stop_code: null,
        stop_message: null,
        frozen: tasks,
        retries: 0,
        unknown_calls: 0,
        max_charge_microusd: 0,
        held_microusd: 0,
        charged_microusd: 0,
        result_version: 1,
        dictionary: null,
        search: model,
        created_at: at,
        started_at: at,
        finished_at: at,
      }),
    )
    const sample = db.prepare(
      `insert into samples (run_no, position, profile_no, task_no, epoch, status, attempts, passed, value, latency_ms, input_tokens, output_tokens)
       values (?, ?, 0, ?, 1, 'scored', 1, ?, ?, ?, 100, ?)`,
    )
    const score = db.prepare(
      `insert into scores (run_no, position, metric_no, version, value, class, explanation) values (?, ?, 0, 1, ?, 'partial', ?)`,
    )
    for (let place = 0; place < tasks; place++) {
      const scoredValue = value(place, random)
      sample.run(
        runNo,
        place,
        benchmark.firstTask + place,
        scoredValue >= 1 ? 1 : 0,
        scoredValue,
        100 + random() * 900,
        Math.floor(50 + random() * 200),
      )
      score.run(runNo, place, scoredValue, explanation?.(place) ?? '')
    }
    const results = resultsOf(db, runNo, id, model, quote, profile)
    db.run(db.sql.insertInto('results').values({ run_no: runNo, version: 1, created_at: at, record: JSON.stringify(results) }))
    return id
  })
}

function quoteOf(id: string, model: string, profile: FrozenProfile): Omit<Quote, 'status'> {
  const tasks = profile.tasks_selected
  return {
    id,
    created_at: at,
    expires_at: at,
    model: {
      kind: 'connection',
      route_id: null,
      connection_id: crypto.randomUUID(),
      title: model,
      provider: 'bench',
      model,
      is_model: true,
      origin: 'http://bench',
      streaming: false,
      rates: { input_microusd_per_million: '1000000', output_microusd_per_million: '2000000' },
    },
    profiles: [profile],
    coverage: { mode: 'full', sample_count: null, seed: null, epochs: 1, task_digest: digest, full_benchmark: true, parts: [] },
    execution: ExecutionSettings.parse({}),
    compatibility: { status: 'compatible', checks: [] },
    counts: {
      tasks,
      samples: tasks,
      model_calls: tasks,
      judge_calls: 0,
      sandbox_executions: 0,
      input_tokens: 0,
      output_tokens_upper_bound: 0,
    },
    cost: {
      components: [],
      estimated_charge_microusd: '0',
      upper_bound_microusd: '0',
      max_charge_microusd: '0',
      provider_billed_estimate_microusd: null,
      provider_billed_upper_bound_microusd: null,
      sample_upper_bound_microusd: null,
    },
    statistics: [],
    time: null,
    warnings: [],
  }
}

function resultsOf(
  db: Database,
  runNo: number,
  runId: string,
  name: string,
  quote: Omit<Quote, 'status'>,
  profile: FrozenProfile,
): Results {
  const { samples_digest, ...computed } = summarizeSamples(
    [profile],
    readResultSamples(db, runNo, 1, false),
    position => sampleId(runId, position),
    quote.coverage.epochs,
    0,
  )
  return {
    ...computed,
    run_id: runId,
    name,
    result_version: 1,
    created_at: at,
    status: 'complete',
    stop_reason: null,
    coverage: {
      ...quote.coverage,
      frozen: quote.counts.samples,
      scored: quote.counts.samples,
      failed: 0,
      excluded: 0,
      missing: 0,
      cancelled: 0,
    },
    billing: {
      state: 'settled',
      held_microusd: '0',
      charged_microusd: '0',
      max_charge_microusd: '0',
      provider_billed_estimate_microusd: null,
      provider_billed_microusd: '0',
      max_provider_billed_microusd: null,
      possibly_billed_twice: 0,
    },
    reproducibility: {
      model: quote.model,
      profiles: [profile],
      execution: quote.execution,
      quote_id: quote.id,
      service_version: 'bench',
      app_version: 'bench',
      samples_digest,
      started_at: at,
      finished_at: at,
    },
    notices: [],
  }
}
