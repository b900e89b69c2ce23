import type { Database } from '../../src/storage/database.ts'
import { mulberry32 } from '../../src/engine/statistics/random.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

const tasks = 10
const dayMs = 86_400_000

export interface WorkspaceCounts {
  readonly runs: number
  readonly models: number
  readonly benchmarks: number
  readonly traces: number
}

/** What a team of five makes in so many years, as one was found to have made. */
export function countsOf(years: number): WorkspaceCounts {
  const some = (perYear: number): number => Math.max(1, Math.round(perYear * years))
  return { runs: some(3_200), models: some(300), benchmarks: some(400), traces: some(96_000) }
}

/** Fills a workspace past the service: benchmarks of three versions, runs of every model, traces of the last days. */
export function fillWorkspace(db: Database, workspaceId: string, years: number): WorkspaceCounts {
  const counts = countsOf(years)
  const benchmarks = Array.from({ length: counts.benchmarks }, (_, i) =>
    insertBenchmark(db, {
      slug: `team-benchmark-${i}`,
      tasks,
      versions: 3,
      preview: place => `Task ${place}`,
      capabilities: () => ['reading'],
      facets: place => ({ subject: `subject ${place % 4}` }),
    }),
  )
  for (let i = 0; i < counts.runs; i++) {
    const benchmark = benchmarks[i % benchmarks.length]
    if (!benchmark) break
    const model = i % counts.models
    insertRun(db, benchmark, {
      workspaceId,
      model: `team-model-${model}`,
      metric: metric('exact', true),
      value: (_place, random) => (random() < 0.3 + (0.6 * model) / counts.models ? 1 : 0),
    })
  }
  insertTraces(db, workspaceId, counts.traces)
  return counts
}

function insertTraces(db: Database, workspaceId: string, traces: number): void {
  const random = mulberry32(7)
  const insert = db.prepare(
    `insert into traces (id, workspace_id, source, project, provider_trace_id, name, model, started_at, span_count, error_count,
       input_preview, output_preview, lead_span_id, lead_is_root, lead_started_at, created_at, updated_at)
     values (?, ?, 'otlp', '', ?, ?, ?, ?, 1, ?, 'Question', 'Answer', 's', 1, ?, ?, ?)`,
  )
  const now = Date.now()
  db.transaction(() => {
    for (let i = 0; i < traces; i++) {
      const at = new Date(now - random() * 365 * dayMs).toISOString()
      insert.run(
        crypto.randomUUID(),
        workspaceId,
        `trace-${i}`,
        `answer ${i % 10}`,
        `team-model-${i % 5}`,
        at,
        i % 50 === 0 ? 1 : 0,
        at,
        at,
        at,
      )
    }
  })
}
