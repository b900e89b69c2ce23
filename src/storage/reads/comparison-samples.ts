import { z } from 'zod'
import type { SampleStatus } from '../../contract/runs/run.machine.ts'
import { withMonth } from '../../lib/task-dates.ts'
import type { Database } from '../database.ts'
import { parseCounts } from './run-samples.ts'
import { asOfParameters, samplesAsOf } from './samples-as-of.ts'

const chunk = 5000

const Facets = z.record(z.string(), z.string())
const Strings = z.array(z.string())

/** Every sample of a run by position with its scores as of a result version, a chunk in memory at a time. Empty where there is no such run. */
export function* readComparisonSamples(db: Database, runId: string, version: number) {
  const run = db.first(db.sql.selectFrom('runs').select('no').where('id', '=', runId))
  if (!run) return
  const tagsOf = createTagReader()
  const samplesAfter = createSampleReader(db, run.no, version)
  for (let after = -1; ; ) {
    const rows = samplesAfter(after)
    const [first] = rows
    const last = rows.at(-1)
    if (!first || !last) return
    const valuesAt = new Map<number, (number | null)[]>()
    const countsAt = new Map<number, ReturnType<typeof parseCounts>[]>()
    const labelsAt = new Map<number, (string | null)[]>()
    for (const { position, metric_no: metric, value, counts, label } of db.all(
      scoresBetween(db, run.no, first.position, last.position, version),
    )) {
      const values = valuesAt.get(position) ?? []
      values[metric] = value
      valuesAt.set(position, values)
      if (label !== null || labelsAt.has(position)) {
        const labels = labelsAt.get(position) ?? []
        labels[metric] = label
        labelsAt.set(position, labels)
      }
      if (counts === null && !countsAt.has(position)) continue
      const some = countsAt.get(position) ?? []
      some[metric] = parseCounts(counts)
      countsAt.set(position, some)
    }
    for (const row of rows) {
      yield {
        position: row.position,
        profileNo: row.profile_no,
        taskNo: row.task_no,
        taskId: row.task_id,
        epoch: row.epoch,
        status: row.status,
        errorCode: row.error_code,
        latencyMs: row.latency_ms,
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        tags: tagsOf(row.facets, row.capabilities),
        /** By metric number; empty unless the sample was scored. */
        values: row.status === 'scored' ? (valuesAt.get(row.position) ?? []) : [],
        /** Likewise, where a metric's figure of a run is not a mean. */
        counts: countsAt.get(row.position) ?? [],
        /** Likewise, where verdicts are words. */
        labels: row.status === 'scored' ? (labelsAt.get(row.position) ?? []) : [],
      }
    }
    after = last.position
  }
}

/** In these types by our own strict tables; parsing each row would cost as much as comparing it. */
interface SampleRow {
  readonly position: number
  readonly profile_no: number
  readonly task_no: number
  readonly task_id: string
  readonly epoch: number
  readonly status: SampleStatus
  readonly error_code: string | null
  readonly latency_ms: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly facets: string
  readonly capabilities: string
}

function createSampleReader(db: Database, runNo: number, version: number): (after: number) => SampleRow[] {
  const samples = db.prepare(
    samplesAsOf(
      's.profile_no, s.task_no, t.task_id, s.epoch, t.facets, t.capabilities',
      'join tasks t on t.no = s.task_no',
      `limit ${chunk}`,
    ),
  )
  return after => samples.all(...asOfParameters(runNo, after + 1, Number.MAX_SAFE_INTEGER, version)) as SampleRow[]
}

/** Versions ascend: of several that hold, the last one read stays. */
function scoresBetween(db: Database, runNo: number, from: number, to: number, version: number) {
  return db.sql
    .selectFrom('scores')
    .select(['position', 'metric_no', 'value', 'counts', 'label'])
    .where('run_no', '=', runNo)
    .where('position', '>=', from)
    .where('position', '<=', to)
    .where('version', '<=', version)
    .orderBy('position')
    .orderBy('metric_no')
    .orderBy('version')
}

/** Tags repeat from task to task: each text is parsed once, and equal ones are one object. */
function createTagReader() {
  const known = new Map<string, { readonly facets: Readonly<Record<string, string>>; readonly capabilities: readonly string[] }>()
  return (facets: string, capabilities: string) => {
    const key = `${facets}${capabilities}`
    const found = known.get(key)
    if (found) return found
    const tags = { facets: withMonth(Facets.parse(JSON.parse(facets))), capabilities: Strings.parse(JSON.parse(capabilities)) }
    if (known.size < 10_000) known.set(key, tags)
    return tags
  }
}
