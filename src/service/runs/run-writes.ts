import type { CallOutcome } from '../../engine/clients/model-client.ts'
import type { AttemptReport, Commit, MetricPlan, ScoreReport } from '../../engine/execution/scheduler/ports.ts'
import type { AttemptWrite, RunWrites, ScoreWrite } from '../../storage/runs/run-writes.ts'
import { packNotices } from '../../storage/runs/attempt-notices.ts'
import { shownScore } from '../../storage/runs/score-rows.store.ts'
import { packTranscript } from '../../storage/transcript.ts'

/** Characters of an answer that its attempt shows. */
export const previewCharacters = 200

/**
 * A commit as the thread that stores it takes it.
 * @param metrics by profile number
 * @param now milliseconds since 1970
 */
export function toWrites(
  { attempts, scores, claim, claimBelow }: Commit,
  metrics: readonly (readonly MetricPlan[])[],
  now: number,
): RunWrites {
  const packed = attempts.map(({ outcome }) => packOutcome(outcome))
  return {
    now,
    attempts: attempts.map(toAttemptWrite),
    transcripts: joined(packed),
    transcriptBytes: packed.map(transcript => transcript?.length ?? 0),
    scores: scores.map(report => toScoreWrite(report, metrics[report.profileNo] ?? [])),
    claim,
    claimBelow,
  }
}

/** Null where nothing went over the wire and nothing was answered. */
export function packOutcome(outcome: CallOutcome): Uint8Array | null {
  if (!outcome.ok && outcome.request === null && outcome.response === null) return null
  return packTranscript({
    request: outcome.request,
    response: outcome.response,
    output: outcome.ok ? outcome.output : null,
    reasoning: (outcome.ok && outcome.reasoning) || null,
    answers: outcome.ok && outcome.earlierAnswers ? JSON.stringify(outcome.earlierAnswers) : null,
    earlier: outcome.earlier ?? [],
    notes: outcome.notes?.length ? JSON.stringify(outcome.notes) : null,
  })
}

function toAttemptWrite({ sample, outcome, ...report }: AttemptReport): AttemptWrite {
  const { ok, notes = [] } = outcome
  return {
    position: sample.position,
    fence: sample.fence,
    attempt: report.attempt,
    wasMade: ok || outcome.code !== 'cancelled' || outcome.request !== null,
    startedAt: report.startedAt,
    finishedAt: report.finishedAt,
    latencyMs: outcome.latencyMs,
    failure: ok ? null : { code: outcome.code, message: outcome.message },
    httpStatus: outcome.httpStatus,
    finishReason: ok ? outcome.finishReason : null,
    refused: ok && outcome.refused,
    usage: report.usage,
    cost: report.cost,
    isBillUnknown: report.isBillUnknown,
    uncertain: report.uncertain,
    cached: report.cached,
    cacheKey: report.cacheKey,
    preview: ok ? outcome.output.slice(0, previewCharacters).toWellFormed() : null,
    notices: packNotices(notes.map(({ code }) => code)),
    servedModel: ok && notes.some(({ code }) => code === 'model_differs') ? (outcome.servedModel ?? null) : null,
    isScoredNext: report.isScoredNext,
    then: report.then,
  }
}

function toScoreWrite(
  { position, fence, finishedAt, outputTokens, answer, scores }: ScoreReport,
  metrics: readonly MetricPlan[],
): ScoreWrite {
  return { position, fence, finishedAt, outputTokens, answer, scores, ...shownScore(metrics, scores) }
}

/** In memory of its own, which can be handed over. */
function joined(parts: readonly (Uint8Array | null)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0))
  let offset = 0
  for (const part of parts) {
    if (!part) continue
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
