import type { ServiceError } from '../../contract/client.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Regrade, Run } from '../../contract/runs/runs.schemas.ts'
import { messageOf } from '../../lib/message-of.ts'

type Metric = FrozenProfile['metrics'][number]

/** One metric of one profile, and what is to be changed about its grader. */
export interface MetricDraft {
  readonly profileId: string
  readonly metric: Metric
  readonly changed: boolean
  readonly scorer: string
  /** JSON as typed. */
  readonly options: string
}

/** By index of the draft. */
export type MetricErrors = Readonly<Record<number, { readonly scorer?: string; readonly options?: string }>>

/** @param isChanged whether the primary metrics are to be changed from the start */
export function metricDrafts({ profiles }: Pick<Run, 'profiles'>, isChanged = false): readonly MetricDraft[] {
  return profiles.flatMap(({ profile_id, metrics }) =>
    // What evaluators gave is carried over.
    metrics
      .filter(({ evaluator }) => evaluator === undefined)
      .map(metric => ({
        profileId: profile_id,
        metric,
        changed: isChanged && metric.primary,
        scorer: metric.scorer,
        options: JSON.stringify(metric.options, null, 2),
      })),
  )
}

/** The request for what was typed, or what is wrong with it and where. Fields that were left as they are are not sent. */
export function toRegrade(drafts: readonly MetricDraft[]): { readonly body: Regrade } | { readonly errors: MetricErrors } {
  const errors: Record<number, { scorer?: string; options?: string }> = {}
  const metrics: Regrade['metrics'] = []
  for (const [index, draft] of drafts.entries()) {
    if (!draft.changed) continue
    const scorer = draft.scorer.trim()
    const options = parseObject(draft.options)
    if (scorer === '') errors[index] = { scorer: 'Name a scorer, such as native/exact' }
    if (typeof options === 'string') errors[index] = { ...errors[index], options }
    else {
      const sameOptions = JSON.stringify(options) === JSON.stringify(draft.metric.options)
      metrics.push({
        profile_id: draft.profileId,
        metric: draft.metric.id,
        ...(scorer === draft.metric.scorer ? {} : { scorer }),
        ...(sameOptions ? {} : { options }),
      })
    }
  }
  return Object.keys(errors).length > 0 ? { errors } : { body: { metrics } }
}

/** The service's refusal, sorted to the metrics that it is about. */
export function refusedMetrics({ detail }: ServiceError, drafts: readonly MetricDraft[]): MetricErrors {
  // The request only holds what was changed, so its places are those among the changed ones.
  const changed = drafts.flatMap((draft, index) => (draft.changed ? [index] : []))
  const errors: Record<number, { scorer?: string; options?: string }> = {}
  for (const { loc, msg } of detail) {
    const [, list, place, field, ...path] = loc
    const index = list === 'metrics' ? changed[Number(place)] : undefined
    if (index === undefined) continue
    const message = path.length > 0 ? `${path.join('.')}: ${msg}` : msg
    errors[index] = field === 'options' ? { ...errors[index], options: message } : { ...errors[index], scorer: message }
  }
  return errors
}

/** The object, or what is wrong with the text. */
function parseObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return 'Options are a JSON object, such as {"ignore_case": true}'
    return { ...value }
  } catch (error) {
    return `Not JSON: ${messageOf(error)}`
  }
}
