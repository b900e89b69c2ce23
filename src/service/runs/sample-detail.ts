import type { Attempt, SampleDetail } from '../../contract/index.ts'
import { describeSample } from '../../engine/samples/describe-sample.ts'
import type { PromptRecipe } from '../../engine/samples/render-prompt.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import type { StoredAttempt, StoredSample } from '../../storage/reads/sample-details.ts'
import { sampleId } from '../../storage/sample-id.ts'

/** One sample with its whole transcript, as the interface shows it. */
export function toSampleDetail(
  runId: string,
  frozen: number,
  quote: StoredQuote,
  recipe: PromptRecipe,
  stored: StoredSample,
): SampleDetail {
  const profile = quote.profiles[stored.profile_no]
  if (!profile) throw new RangeError(`Sample ${stored.position} names profile ${stored.profile_no}, which the run does not have.`)
  const transcript = describeSample(stored, sampleId(runId, stored.position), profile, recipe)
  const neighbour = (position: number) => (position >= 0 && position < frozen ? sampleId(runId, position) : null)
  return {
    ...transcript,
    run_id: runId,
    title: `${profile.slug} · ${transcript.task_id}`,
    scores: transcript.score_details.map(({ metric, scorer, value, class: verdict, answer }) => ({
      metric,
      scorer,
      value,
      class: verdict,
      answer,
    })),
    attempt_log: stored.attemptLog.map(toAttempt),
    previous_id: neighbour(stored.position - 1),
    next_id: neighbour(stored.position + 1),
  }
}

function toAttempt(attempt: StoredAttempt): Attempt {
  return {
    number: attempt.number,
    status: attempt.status,
    started_at: new Date(attempt.started_at).toISOString(),
    finished_at: attempt.finished_at === null ? null : new Date(attempt.finished_at).toISOString(),
    latency_ms: attempt.latency_ms,
    error: attempt.error_code === null ? null : { code: attempt.error_code, message: attempt.error_message ?? '' },
    http_status: attempt.http_status,
    request: text(attempt.wire?.request),
    response: text(attempt.wire?.response),
    input_tokens: attempt.input_tokens,
    output_tokens: attempt.output_tokens,
    tokens_source: attempt.tokens_source,
    charged_microusd: String(attempt.charged_microusd),
  }
}

function text(bytes: Uint8Array | null | undefined): string | null {
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : null
}
