import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { ReportSample } from '../report/report-sample.ts'

/** What became of a sample, in the four words that other tools have for it. */
export type Outcome = 'passed' | 'failed' | 'unscored' | 'not_answered'

/** A verdict needs a score: what has none is unscored where there is an answer, and not answered where there is not. */
export function outcomeOf({ status, passed }: Pick<ReportSample, 'status' | 'passed'>): Outcome {
  if (status !== 'scored') return 'not_answered'
  if (passed === null) return 'unscored'
  return passed ? 'passed' : 'failed'
}

/** The score of the metric that a profile is known by. */
export function primaryScore(sample: ReportSample, profile: FrozenProfile | undefined): ReportSample['score_details'][number] | undefined {
  const metric = profile?.metrics.find(({ primary }) => primary)
  return sample.score_details.find(score => score.metric === metric?.id)
}

/** Why there is no score. */
export function reasonOf(sample: ReportSample, profile: FrozenProfile | undefined): string {
  return sample.error?.message ?? primaryScore(sample, profile)?.explanation ?? `The sample is ${sample.status}.`
}
