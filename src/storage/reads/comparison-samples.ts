import { z } from 'zod'
import { sampleStates } from '../../contract/index.ts'
import type { Database } from '../database.ts'

const chunk = 4000

const SampleRow = z.object({
  position: z.int(),
  profile_no: z.int(),
  task_no: z.int(),
  task_id: z.string(),
  epoch: z.int(),
  status: z.enum(sampleStates),
  latency_ms: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
})
const ScoreRow = z.object({ position: z.int(), metric_no: z.int(), value: z.number().nullable() })

/** A sample as a comparison needs it. */
export interface ComparisonSample {
  readonly position: number
  readonly profileNo: number
  readonly taskNo: number
  readonly taskId: string
  readonly epoch: number
  readonly status: (typeof sampleStates)[number]
  readonly latencyMs: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** By metric number as of the result version; empty unless it was scored. */
  readonly values: readonly (number | null)[]
}

/** Every sample of a run by position with its scores as of a result version, a chunk in memory at a time. Empty where there is no such run. */
export function* readComparisonSamples(db: Database, runId: string, version: number): Generator<ComparisonSample> {
  const run = z.object({ no: z.int() }).safeParse(db.prepare('select no from runs where id = ?').get(runId))
  if (!run.success) return
  const samples = db.prepare(
    `select s.position, s.profile_no, s.task_no, t.task_id, s.epoch, s.status, s.latency_ms, s.input_tokens, s.output_tokens
     from samples s join tasks t on t.no = s.task_no where s.run_no = ? and s.position > ? order by s.position limit ${chunk}`,
  )
  // Ascending versions: of several that hold, the last one read stays.
  const scores = db.prepare(
    'select position, metric_no, value from scores where run_no = ? and position between ? and ? and version <= ? order by position, metric_no, version',
  )
  for (let after = -1; ; ) {
    const rows = samples.all(run.data.no, after).map(row => SampleRow.parse(row))
    const [first] = rows
    const last = rows.at(-1)
    if (!first || !last) return
    const valuesAt = new Map<number, (number | null)[]>()
    for (const row of scores.iterate(run.data.no, first.position, last.position, version)) {
      const { position, metric_no: metric, value } = ScoreRow.parse(row)
      const values = valuesAt.get(position) ?? []
      values[metric] = value
      valuesAt.set(position, values)
    }
    for (const row of rows) {
      yield {
        position: row.position,
        profileNo: row.profile_no,
        taskNo: row.task_no,
        taskId: row.task_id,
        epoch: row.epoch,
        status: row.status,
        latencyMs: row.latency_ms,
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        values: row.status === 'scored' ? (valuesAt.get(row.position) ?? []) : [],
      }
    }
    after = last.position
  }
}

const Facets = z.record(z.string(), z.string())
const Strings = z.array(z.string())
const TagRow = z.object({ no: z.int(), facets: z.string(), capabilities: z.string() })

/** Facets and capabilities of tasks, in the order asked. */
export function readTaskTags(db: Database, numbers: readonly number[]) {
  const select = db.prepare('select no, facets, capabilities from tasks where no = ?')
  // Tags repeat from task to task, so each text is parsed once.
  const known = new Map<string, { readonly facets: Record<string, string>; readonly capabilities: readonly string[] }>()
  return numbers.map(no => {
    const { facets, capabilities } = TagRow.parse(select.get(no))
    const key = `${facets}${capabilities}`
    const found = known.get(key)
    if (found) return found
    const tags = { facets: Facets.parse(JSON.parse(facets)), capabilities: Strings.parse(JSON.parse(capabilities)) }
    if (known.size < 10_000) known.set(key, tags)
    return tags
  })
}
