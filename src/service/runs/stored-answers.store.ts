import { readEarlierAnswers } from '../../engine/execution/samples/with-turns.ts'
import { z } from 'zod'
import { CallNotes } from '../../contract/runs/call-notes.ts'
import type { AnsweredSample, CachedAnswer, RunStore } from '../../engine/execution/scheduler/ports.ts'
import type { Database } from '../../storage/database.ts'
import { createTranscriptReader, TranscriptPlace } from '../../storage/reads/transcripts.ts'
import { MeasuredRow, readMeasured } from './measured-answer.ts'
import { createRecordedScores } from './recorded-scores.store.ts'
import type { Statements } from '../../storage/runs/execution-statements.store.ts'

const Ungraded = TranscriptPlace.extend(MeasuredRow.shape).extend({
  position: z.int(),
  profile_no: z.int(),
  task_no: z.int(),
  fence: z.int(),
  refused: z.int(),
  holds_files: z.int(),
  output_tokens: z.int().nullable(),
})
const TokenParts = z.record(z.string(), z.int())
const CachedRow = TranscriptPlace.extend({
  started_at: z.int(),
  finished_at: z.int(),
  latency_ms: z.number(),
  http_status: z.int().nullable(),
  finish_reason: z.string().nullable(),
  refused: z.int(),
  served_model: z.string().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  tokens_source: z.enum(['provider', 'tokenizer']).nullable(),
  token_parts: z.string().nullable(),
  cost: z.int(),
})

/** Answers that are stored already: those that wait for their scores, and those of earlier runs. */
export function createStoredAnswers(db: Database, statements: Statements): Pick<RunStore, 'ungraded' | 'cached'> {
  const reader = createTranscriptReader(db)
  const recordedScores = createRecordedScores(db)
  return {
    ungraded: (runNo, after, limit) => {
      if (!statements.hasAnswered.get(runNo)) return []
      return statements.ungraded.all(runNo, after, limit).map((row): AnsweredSample => {
        const ungraded = Ungraded.parse(row)
        const { position, profile_no, task_no, fence, refused, holds_files, output_tokens, ...place } = ungraded
        const { output, reasoning = null, answers } = reader.read(place) ?? { output: null, answers: null }
        return {
          position,
          profileNo: profile_no,
          taskNo: task_no,
          fence,
          output: output ?? '',
          reasoning,
          ...(answers && { earlierAnswers: readEarlierAnswers(answers) }),
          refused: refused === 1,
          holdsFiles: holds_files === 1,
          countTokens: output_tokens === null,
          recorded: recordedScores(runNo, position),
          measured: readMeasured(ungraded),
          unwritten: null,
        }
      })
    },
    cached: key => {
      const row = statements.cached.get(key)
      return row ? toCachedAnswer(CachedRow.parse(row), reader.read(CachedRow.parse(row))) : null
    },
  }
}

function toCachedAnswer(
  row: z.infer<typeof CachedRow>,
  wire: ReturnType<ReturnType<typeof createTranscriptReader>['read']>,
): CachedAnswer | null {
  if (!wire || wire.output === null) return null
  const usage =
    row.tokens_source === 'provider' && row.input_tokens !== null && row.output_tokens !== null
      ? {
          inputTokens: row.input_tokens,
          outputTokens: row.output_tokens,
          ...(row.token_parts === null ? {} : { parts: TokenParts.parse(JSON.parse(row.token_parts)) }),
        }
      : null
  return {
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    cost: BigInt(row.cost),
    outcome: {
      ok: true,
      output: wire.output,
      ...(wire.reasoning ? { reasoning: wire.reasoning } : {}),
      ...(row.served_model === null ? {} : { servedModel: row.served_model }),
      ...(wire.notes ? { notes: CallNotes.parse(JSON.parse(wire.notes)) } : {}),
      finishReason: row.finish_reason,
      refused: row.refused === 1,
      usage,
      latencyMs: row.latency_ms,
      request: wire.request,
      response: wire.response,
      httpStatus: row.http_status,
    },
  }
}
