import { z } from 'zod'
import type { Database } from '../database.ts'
import { unpackNotices } from '../runs/attempt-notices.ts'
import { createFacetsReader } from './read-facets.ts'
import { asOfParameters, samplesAsOf } from './samples-as-of.ts'

const chunk = 1000

const SampleRow = z.object({
  position: z.int(),
  profile_no: z.int(),
  task_id: z.string(),
  epoch: z.int(),
  status: z.string(),
  attempts: z.int(),
  cached: z.int(),
  latency_ms: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  tokens_source: z.enum(['provider', 'tokenizer']).nullable(),
  finish_reason: z.string().nullable(),
  is_empty: z.int().nullable(),
  notices: z.string().nullable(),
  served_model: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  facets: z.string(),
})
const Counts = z.record(z.string(), z.number())
const ScoreRow = z.object({
  position: z.int(),
  value: z.number().nullable(),
  class: z.string(),
  code: z.string().nullable(),
  counts: z.string().nullable().transform(parseCounts),
  answer: z.string().nullable(),
  label: z.string().nullable(),
})

/** What a score adds to its run's figure; null where it adds its value. */
export function parseCounts(text: string | null): z.infer<typeof Counts> | null {
  return text === null ? null : Counts.parse(JSON.parse(text))
}

/**
 * Every sample of a run with its scores as of a result version, by position, a chunk in memory at a time.
 * @param withAnswers whether the answers that scorers found are read too
 */
export function* readResultSamples(db: Database, runNo: number, version: number, withAnswers: boolean) {
  const samples = db.prepare(
    samplesAsOf(
      `s.profile_no, t.task_id, s.epoch, a.tokens_source, a.finish_reason, (trim(a.output_preview, char(9, 10, 13, 32)) = '') as is_empty, a.notices, a.served_model, t.facets`,
      `join tasks t on t.no = s.task_no
       left join attempts a on a.run_no = coalesce(v.source_no, v.run_no) and a.position = v.position and a.number = v.attempts`,
      'limit ?',
    ),
  )
  const scores = db.prepare(
    `select position, value, class, code, counts, label, ${withAnswers ? 'answer' : 'null as answer'} from scores c where run_no = ? and position between ? and ?
     and version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no and d.version <= ?)
     order by position, metric_no`,
  )
  const facetsOf = createFacetsReader()
  for (let after = -1; ; ) {
    const rows = samples.all(...asOfParameters(runNo, after + 1, Number.MAX_SAFE_INTEGER, version), chunk).map(row => SampleRow.parse(row))
    const last = rows.at(-1)
    const first = rows[0]
    if (!last || !first) return
    const byPosition = Map.groupBy(
      scores.all(runNo, first.position, last.position, version).map(row => ScoreRow.parse(row)),
      score => score.position,
    )
    for (const row of rows) {
      yield {
        position: row.position,
        profileNo: row.profile_no,
        taskId: row.task_id,
        epoch: row.epoch,
        status: row.status,
        attempts: row.attempts,
        cached: row.cached === 1,
        scores: byPosition.get(row.position) ?? [],
        latencyMs: row.latency_ms,
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        tokensSource: row.tokens_source,
        notices: row.status === 'scored' ? unpackNotices(row) : [],
        servedModel: row.served_model,
        errorCode: row.error_code,
        errorMessage: row.error_message,
        facets: facetsOf(row.facets),
      }
    }
    after = last.position
  }
}

const Retries = z.object({ retries: z.int() })

/** Attempts beyond the first of each sample, those of the run's parts included. */
export function readRetries(db: Database, runNo: number): number {
  return Retries.parse(db.prepare('select sum(retries) as retries from runs where no = ? or part_of = ?').get(runNo, runNo)).retries
}
