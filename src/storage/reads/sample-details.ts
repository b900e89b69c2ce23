import { z } from 'zod'
import type { Database } from '../database.ts'
import { decodeTask, type StoredTask } from '../task-content.ts'
import { decompress, type Transcript, unpackTranscript } from '../transcript.ts'

const chunk = 200

const SampleRow = z.object({
  position: z.int(),
  profile_no: z.int(),
  epoch: z.int(),
  status: z.enum(['pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled']),
  attempts: z.int(),
  passed: z.int().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  latency_ms: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  finished_at: z.int().nullable(),
  content: z.instanceof(Uint8Array),
})
const AttemptRow = z.object({
  position: z.int(),
  number: z.int(),
  status: z.enum(['started', 'answered', 'failed', 'unknown']),
  started_at: z.int(),
  finished_at: z.int().nullable(),
  latency_ms: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  http_status: z.int().nullable(),
  finish_reason: z.string().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  tokens_source: z.enum(['provider', 'tokenizer']).nullable(),
  charged_microusd: z.int(),
  transcript: z.instanceof(Uint8Array).nullable(),
})
const ScoreRow = z.object({
  position: z.int(),
  metric_no: z.int(),
  value: z.number().nullable(),
  class: z.string(),
  answer: z.string().nullable(),
  answer_start: z.int().nullable(),
  answer_end: z.int().nullable(),
  explanation: z.string(),
})

export type StoredAttempt = Omit<z.infer<typeof AttemptRow>, 'transcript'> & { readonly wire: Transcript | null }
export type StoredScore = z.infer<typeof ScoreRow>

/** Everything stored about one sample. */
export type StoredSample = Omit<z.infer<typeof SampleRow>, 'content'> & {
  readonly task: StoredTask
  readonly attemptLog: readonly StoredAttempt[]
  /** As of the result version asked for, by metric number. */
  readonly scores: readonly StoredScore[]
}

export interface DetailRange {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

/** Samples of a run by position with their transcripts, a chunk in memory at a time. */
export function* readSampleDetails(db: Database, runNo: number, version: number, range: DetailRange): Generator<StoredSample> {
  const dictionary = z
    .object({ dictionary: z.instanceof(Uint8Array).nullable() })
    .parse(db.prepare('select dictionary from runs where no = ?').get(runNo)).dictionary
  const samples = db.prepare(
    `select s.position, s.profile_no, s.epoch, s.status, s.attempts, s.passed, s.error_code, s.error_message, s.latency_ms, s.input_tokens, s.output_tokens,
     s.finished_at, t.content from samples s join tasks t on t.no = s.task_no
     where s.run_no = ? and s.position between ? and ? order by s.position limit ${chunk}`,
  )
  const attempts = db.prepare(
    `select position, number, status, started_at, finished_at, latency_ms, error_code, error_message, http_status, finish_reason, input_tokens, output_tokens,
     tokens_source, charged_microusd, transcript from attempts where run_no = ? and position between ? and ? order by position, number`,
  )
  const scores = db.prepare(
    `select position, metric_no, value, class, answer, answer_start, answer_end, explanation from scores c where run_no = ? and position between ? and ?
     and version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no and d.version <= ?)
     order by position, metric_no`,
  )
  const wireOf = (block: Uint8Array | null): Transcript | null => (block ? unpackTranscript(decompress(block, dictionary)) : null)
  for (let from = range.from; from <= range.to; ) {
    const rows = samples.all(runNo, from, range.to).map(row => SampleRow.parse(row))
    const last = rows.at(-1)
    if (!last) return
    const attemptsBy = Map.groupBy(
      attempts.all(runNo, from, last.position).map(row => AttemptRow.parse(row)),
      row => row.position,
    )
    const scoresBy = Map.groupBy(
      scores.all(runNo, from, last.position, version).map(row => ScoreRow.parse(row)),
      row => row.position,
    )
    for (const { content, ...sample } of rows) {
      yield {
        ...sample,
        task: decodeTask(content),
        attemptLog: (attemptsBy.get(sample.position) ?? []).map(({ transcript, ...attempt }) => ({ ...attempt, wire: wireOf(transcript) })),
        scores: scoresBy.get(sample.position) ?? [],
      }
    }
    from = last.position + 1
  }
}
