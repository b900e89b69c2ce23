import { z } from 'zod'
import { sampleStates } from '../../contract/index.ts'
import type { Database } from '../database.ts'

const chunk = 4000

const SampleRows = z.array(
  z.object({
    position: z.int(),
    profile_no: z.int(),
    task_no: z.int(),
    task_id: z.string(),
    epoch: z.int(),
    status: z.enum(sampleStates),
    latency_ms: z.number().nullable(),
    input_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    facets: z.string(),
    capabilities: z.string(),
  }),
)
const ScoreRows = z.array(z.object({ position: z.int(), metric_no: z.int(), value: z.number().nullable() }))
const Facets = z.record(z.string(), z.string())
const Strings = z.array(z.string())

/** Every sample of a run by position with its scores as of a result version, a chunk in memory at a time. Empty where there is no such run. */
export function* readComparisonSamples(db: Database, runId: string, version: number) {
  const run = z.object({ no: z.int() }).safeParse(db.prepare('select no from runs where id = ?').get(runId))
  if (!run.success) return
  const samples = db.prepare(
    `select s.position, s.profile_no, s.task_no, t.task_id, s.epoch, s.status, s.latency_ms, s.input_tokens, s.output_tokens, t.facets, t.capabilities
     from samples s join tasks t on t.no = s.task_no where s.run_no = ? and s.position > ? order by s.position limit ${chunk}`,
  )
  // Ascending versions: of several that hold, the last one read stays.
  const scores = db.prepare(
    'select position, metric_no, value from scores where run_no = ? and position between ? and ? and version <= ? order by position, metric_no, version',
  )
  const tagsOf = createTagReader()
  for (let after = -1; ; ) {
    const rows = SampleRows.parse(samples.all(run.data.no, after))
    const [first] = rows
    const last = rows.at(-1)
    if (!first || !last) return
    const valuesAt = new Map<number, (number | null)[]>()
    for (const { position, metric_no: metric, value } of ScoreRows.parse(scores.all(run.data.no, first.position, last.position, version))) {
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
        tags: tagsOf(row.facets, row.capabilities),
        /** By metric number; empty unless the sample was scored. */
        values: row.status === 'scored' ? (valuesAt.get(row.position) ?? []) : [],
      }
    }
    after = last.position
  }
}

/** Tags repeat from task to task; parsing each text once is enough. */
function createTagReader() {
  const known = new Map<string, { readonly facets: Readonly<Record<string, string>>; readonly capabilities: readonly string[] }>()
  return (facets: string, capabilities: string) => {
    const key = `${facets}${capabilities}`
    const found = known.get(key)
    if (found) return found
    const tags = { facets: Facets.parse(JSON.parse(facets)), capabilities: Strings.parse(JSON.parse(capabilities)) }
    if (known.size < 10_000) known.set(key, tags)
    return tags
  }
}
