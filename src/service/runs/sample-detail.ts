import { z } from 'zod'
import type { TaskExample } from '../../contract/evaluators/dataset-benchmarks.schemas.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { Attempt, type SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { MediaMissingError, type MediaSource } from '../../engine/clients/media-source.ts'
import { describeRequest, restoreRequest } from '../../engine/clients/wire/condensed-request.ts'
import { describeSample } from '../../engine/execution/samples/describe-sample.ts'
import { benchmarkTitle } from '../../lib/format/benchmark-names.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { StoredAttempt, StoredSample } from '../../storage/reads/sample-details.ts'
import { sampleId } from '../../storage/sample-id.ts'

/** `metered` at the connection's rates, `unknown` where it states none. */
export type ProviderBilling = 'none' | 'metered' | 'unknown'

/** Places of the samples before and after one; null where there is none. */
export interface Neighbors {
  readonly previous: number | null
  readonly next: number | null
}
const Notes = Attempt.shape.notes

/**
 * One sample with its whole transcript, as the interface shows it.
 * @param exampleOf the example that a task of the profile was made of
 */
export function toSampleDetail(
  runId: string,
  neighbors: Neighbors,
  profiles: readonly FrozenProfile[],
  recipe: PromptRecipe,
  stored: StoredSample,
  billing: ProviderBilling,
  exampleOf: (sourceRef: string, taskId: string) => TaskExample | null,
): SampleDetail {
  const profile = profiles[stored.profile_no]
  if (!profile) throw new RangeError(`Sample ${stored.position} names profile ${stored.profile_no}, which the run does not have.`)
  const transcript = describeSample(stored, sampleId(runId, stored.position), profile, recipe)
  const idAt = (position: number | null) => (position === null ? null : sampleId(runId, position))
  return {
    ...transcript,
    run_id: runId,
    title: `${benchmarkTitle(profile)} · ${transcript.task_id}`,
    scores: transcript.score_details.map(({ metric, scorer, value, class: verdict, code, answer }) => ({
      metric,
      scorer,
      value,
      class: verdict,
      code,
      answer,
    })),
    attempt_log: [...stored.attemptLog.map(attempt => toAttempt(attempt, billing)), ...openAttempt(stored, billing)],
    example: exampleOf(profile.source_ref, transcript.task_id),
    previous_id: idAt(neighbors.previous),
    next_id: idAt(neighbors.next),
  }
}

function toAttempt(attempt: StoredAttempt, billing: ProviderBilling): Attempt {
  return {
    number: attempt.number,
    status: attempt.status,
    started_at: new Date(attempt.started_at).toISOString(),
    finished_at: attempt.finished_at === null ? null : new Date(attempt.finished_at).toISOString(),
    latency_ms: attempt.latency_ms,
    error: attempt.error_code === null ? null : { code: attempt.error_code, message: attempt.error_message ?? '' },
    http_status: attempt.http_status,
    request: requestText(attempt.wire?.request),
    response: text(attempt.wire?.response),
    input_tokens: attempt.input_tokens,
    output_tokens: attempt.output_tokens,
    ...partsOf(attempt.token_parts),
    tokens_source: attempt.tokens_source,
    charged_microusd: String(attempt.charged_microusd),
    provider_billed_microusd: billed(attempt, billing),
    cached: attempt.cached === 1,
    earlier_calls: (attempt.wire?.earlier ?? []).map(call => ({ request: requestText(call.request), response: text(call.response) })),
    notes: attempt.wire?.notes ? Notes.parse(JSON.parse(attempt.wire.notes)) : [],
  }
}

const TokenParts = z.object({ cachedInput: z.int(), cacheWrite: z.int(), reasoning: z.int() }).partial()

function partsOf(stored: string | null): Pick<Attempt, 'cached_input_tokens' | 'cache_write_tokens' | 'reasoning_tokens'> {
  const { cachedInput = null, cacheWrite = null, reasoning = null } = stored === null ? {} : TokenParts.parse(JSON.parse(stored))
  return { cached_input_tokens: cachedInput, cache_write_tokens: cacheWrite, reasoning_tokens: reasoning }
}

/** Null where it is unknown. */
function billed({ bill_unknown, billed_microusd }: StoredAttempt, billing: ProviderBilling): string | null {
  if (billing === 'none') return '0'
  // Without rates what the provider states is still known.
  return (billing === 'unknown' && billed_microusd === 0) || bill_unknown === 1 ? null : String(billed_microusd)
}

/** An attempt that has not ended is nowhere stored but in its sample. */
function openAttempt({ status, attempts, called_at, attemptLog }: StoredSample, billing: ProviderBilling): Attempt[] {
  // Its answer may be stored already, before the sample itself is, together with its scores.
  if (status !== 'calling' || called_at === null || attemptLog.some(attempt => attempt.number === attempts)) return []
  const nothing = {
    finished_at: null,
    latency_ms: null,
    error: null,
    http_status: null,
    request: null,
    response: null,
    input_tokens: null,
    output_tokens: null,
    ...partsOf(null),
    tokens_source: null,
  }
  return [
    {
      ...nothing,
      number: attempts,
      status: 'started',
      started_at: new Date(called_at).toISOString(),
      charged_microusd: '0',
      provider_billed_microusd: billing === 'none' ? '0' : null,
      cached: false,
      earlier_calls: [],
      notes: [],
    },
  ]
}

/** With the digests of media in the place of their base64, where it was not put back. */
function requestText(bytes: Uint8Array | null | undefined): string | null {
  return bytes ? text(describeRequest(bytes)) : null
}

/** A sample whose requests are byte for byte as they were sent; one whose media are missing keeps their digests. */
export async function withRequests(stored: StoredSample, media: MediaSource): Promise<StoredSample> {
  const restored = async (request: Uint8Array | null): Promise<Uint8Array | null> =>
    request &&
    restoreRequest(request, media).catch((error: unknown) => {
      if (error instanceof MediaMissingError) return request
      throw error
    })
  const attemptLog = await Promise.all(
    stored.attemptLog.map(async attempt => {
      if (!attempt.wire) return attempt
      const { request, earlier = [] } = attempt.wire
      const calls = await Promise.all(earlier.map(async call => ({ ...call, request: await restored(call.request) })))
      return { ...attempt, wire: { ...attempt.wire, request: await restored(request), ...(earlier.length > 0 && { earlier: calls }) } }
    }),
  )
  return { ...stored, attemptLog }
}

function text(bytes: Uint8Array | null | undefined): string | null {
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : null
}
