import { z } from 'zod'
import type { NoticeCode } from '../../contract/runs/call-notes.ts'
import type { Database } from '../database.ts'
import { decodeTask, type StoredTask } from '../task-content.ts'
import type { Transcript } from '../transcript.ts'
import { unpackNotices } from '../runs/attempt-notices.ts'
import { createFacetsReader } from './read-facets.ts'
import { asOfParameters, samplesAsOf } from './samples-as-of.ts'
import { createTranscriptReader, TranscriptPlace } from './transcripts.ts'

const chunk = 200

const SampleRow = z.object({
  position: z.int(),
  profile_no: z.int(),
  epoch: z.int(),
  status: z.enum(['pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled']),
  attempts: z.int(),
  cached: z.int(),
  called_at: z.int().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  latency_ms: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  finished_at: z.int().nullable(),
  content: z.instanceof(Uint8Array),
  facets: z.string(),
})
const AttemptRow = TranscriptPlace.extend({
  position: z.int(),
  number: z.int(),
  status: z.enum(['answered', 'failed', 'unknown']),
  started_at: z.int(),
  finished_at: z.int().nullable(),
  latency_ms: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  http_status: z.int().nullable(),
  finish_reason: z.string().nullable(),
  notices: z.string().nullable(),
  is_empty: z.int().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  tokens_source: z.enum(['provider', 'tokenizer']).nullable(),
  charged_microusd: z.int(),
  billed_microusd: z.int(),
  bill_unknown: z.int(),
  token_parts: z.string().nullable(),
  cached: z.int(),
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
  code: z.string().nullable(),
  label: z.string().nullable(),
})

export type StoredAttempt = Omit<z.infer<typeof AttemptRow>, keyof TranscriptPlace | 'notices' | 'is_empty'> & {
  readonly notices: readonly NoticeCode[]
  readonly wire: Transcript | null
}
export type StoredScore = z.infer<typeof ScoreRow>

/** Everything stored about one sample. */
export type StoredSample = Omit<z.infer<typeof SampleRow>, 'content' | 'facets'> & {
  readonly task: StoredTask
  /** Values by which results are broken down. */
  readonly facets: Readonly<Record<string, string>>
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
  const transcripts = createTranscriptReader(db)
  const samples = db.prepare(
    samplesAsOf('s.profile_no, s.epoch, s.called_at, t.content, t.facets', 'join tasks t on t.no = s.task_no', `limit ${chunk}`),
  )
  // Also those of parts merged into this version; their numbering continues the run's.
  const attempts = db.prepare(
    `select position, number, status, started_at, finished_at, latency_ms, error_code, error_message, http_status, finish_reason, notices,
     (trim(output_preview, char(9, 10, 13, 32)) = '') as is_empty, input_tokens, output_tokens,
     tokens_source, charged_microusd, billed_microusd, bill_unknown, token_parts, cached, run_no, transcript, block_no, block_offset from attempts
     where run_no in (select no from runs where no = ? or (part_of = ? and merged_version <= ?)) and position between ? and ? order by position, number`,
  )
  const scores = db.prepare(
    `select position, metric_no, value, class, answer, answer_start, answer_end, explanation, code, label from scores c where run_no = ? and position between ? and ?
     and version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no and d.version <= ?)
     order by position, metric_no`,
  )
  let previous: { readonly content: Uint8Array; readonly task: StoredTask } | null = null
  const facetsOf = createFacetsReader()
  /** Epochs of one task are adjacent. */
  const taskOf = (content: Uint8Array): StoredTask => {
    if (previous === null || Buffer.compare(previous.content, content) !== 0) previous = { content, task: decodeTask(content) }
    return previous.task
  }
  for (let from = range.from; from <= range.to; ) {
    const rows = samples.all(...asOfParameters(runNo, from, range.to, version)).map(row => SampleRow.parse(row))
    const last = rows.at(-1)
    if (!last) return
    const attemptsBy = Map.groupBy(
      attempts.all(runNo, runNo, version, from, last.position).map(row => AttemptRow.parse(row)),
      row => row.position,
    )
    const scoresBy = Map.groupBy(
      scores.all(runNo, from, last.position, version).map(row => ScoreRow.parse(row)),
      row => row.position,
    )
    for (const { content, facets, ...sample } of rows) {
      yield {
        ...sample,
        task: taskOf(content),
        facets: facetsOf(facets),
        attemptLog: (attemptsBy.get(sample.position) ?? []).map(
          ({ run_no, transcript, block_no, block_offset, notices, is_empty, ...attempt }) => ({
            ...attempt,
            notices: attempt.status === 'answered' ? unpackNotices({ notices, is_empty, finish_reason: attempt.finish_reason }) : [],
            wire: transcripts.read({ run_no, transcript, block_no, block_offset }),
          }),
        ),
        scores: scoresBy.get(sample.position) ?? [],
      }
    }
    from = last.position + 1
  }
}
