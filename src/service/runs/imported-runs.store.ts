import { endingNotices } from '../../contract/runs/call-notes.ts'
import { endingOf } from '../../contract/runs/endings.ts'
import { longestFinishReason } from '../../engine/clients/examine-answer.ts'
import type { RecordedOutput } from '../../engine/importing/answers/given-answer.ts'
import { splitReasoning, withReasoning } from '../../lib/split-reasoning.ts'
import type { Database } from '../../storage/database.ts'
import { packNotices } from '../../storage/runs/attempt-notices.ts'
import { createTranscriptWriter } from '../../storage/runs/transcripts.store.ts'
import { packTranscript } from '../../storage/transcript.ts'
import { previewCharacters } from './run-writes.ts'

/** One cell of a run, in the order of its positions. */
export interface ImportedCell extends RecordedOutput {
  readonly taskNo: number
  readonly epoch: number
}

/** Characters that are kept of what a log says of a score. */
const longestReason = 4000

/** Writes the samples of a run with the answers that were imported for them; in the caller's transaction. */
export function createImportedCellWriter(db: Database, runNo: number): (cells: readonly ImportedCell[], from: number, at: number) => void {
  const transcripts = createTranscriptWriter(db)
  const sample = db.prepare(
    `insert into samples (run_no, position, profile_no, task_no, epoch, status, attempts, latency_ms, input_tokens, output_tokens, error_code, error_message, finished_at)
     values (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const attempt = db.prepare(
    `insert into attempts (run_no, position, number, status, started_at, finished_at, latency_ms, refused, finish_reason, notices, input_tokens, output_tokens, tokens_source,
     charged_microusd, billed_microusd, output_preview, block_no, block_offset) values (?, ?, 1, 'answered', ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)`,
  )
  const logScore = db.prepare('insert into log_scores (run_no, position, name, value, explanation, label) values (?, ?, ?, ?, ?, ?)')
  const count = db.prepare('insert into run_counts (run_no, status, n) values (?, ?, ?) on conflict do update set n = n + excluded.n')
  const pending = db.prepare(`update run_counts set n = n - ? where run_no = ? and status = 'pending'`)
  return (cells, from, at) => {
    const counts = new Map<string, number>()
    const answers = cells.map(cell => withReasoning(splitReasoning(cell.output ?? ''), cell.reasoning))
    const places = transcripts.write(
      runNo,
      answers.map(({ output, reasoning }) => packTranscript({ request: null, response: null, output, reasoning })),
    )
    for (const [i, cell] of cells.entries()) {
      const position = from + i
      const answer = answers[i] ?? { output: '', reasoning: null }
      const output = cell.output === null ? null : answer.output
      const { taskNo, epoch, error, finishReason, inputTokens, outputTokens, latencyMs } = cell
      const status = output !== null ? 'answered' : error === null ? 'missing' : 'failed'
      counts.set(status, (counts.get(status) ?? 0) + 1)
      const failed = status === 'failed'
      sample.run(
        runNo,
        position,
        taskNo,
        epoch,
        status,
        output === null ? 0 : 1,
        output === null ? null : latencyMs,
        output === null ? null : inputTokens,
        output === null ? null : outputTokens,
        failed ? 'provider_failure' : null,
        failed ? (error ?? '').slice(0, 2000).toWellFormed() : null,
        status === 'answered' ? null : at,
      )
      if (output === null) continue
      const place = places[i]
      const source = inputTokens !== null && outputTokens !== null ? 'provider' : null
      const preview = output.slice(0, previewCharacters).toWellFormed()
      attempt.run(
        runNo,
        position,
        at,
        at,
        latencyMs,
        endingOf(finishReason) === 'refused' ? 1 : 0,
        finishReason?.slice(0, longestFinishReason).toWellFormed() ?? null,
        packNotices(endingNotices(finishReason, output.trim() !== '', answer.reasoning !== null)),
        inputTokens,
        outputTokens,
        source,
        preview,
        place?.blockNo ?? null,
        place?.offset ?? null,
      )
      for (const [name, value] of Object.entries(cell.scores))
        logScore.run(
          runNo,
          position,
          name,
          value,
          cell.reasons?.[name]?.slice(0, longestReason).toWellFormed() ?? null,
          cell.labels?.[name]?.toWellFormed() ?? null,
        )
    }
    for (const [status, n] of counts) count.run(runNo, status, n)
    pending.run(cells.length, runNo)
  }
}
