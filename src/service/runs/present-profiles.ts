import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { Kernel } from '../kernel.ts'
import { isAlwaysBinary } from './regrades.store.ts'
import type { RunRow } from './runs.store.ts'

/** Says what is known of an evaluator's metric now. */
export interface MetricPresenter {
  readonly runs: Pick<Evaluators['runs'], 'refreshed'>
}

/** The profiles as a result is about to show them: metrics of evaluators with what their calibration says now, and the interval that their values ask for. */
export function presentProfiles(
  { db }: Pick<Kernel, 'db'>,
  evaluators: MetricPresenter,
  row: Pick<RunRow, 'no' | 'workspace_id'>,
  profiles: readonly FrozenProfile[],
): FrozenProfile[] {
  return profiles.map((profile, profileNo) => ({
    ...profile,
    metrics: profile.metrics.map((metric, metricNo) =>
      metric.evaluator === undefined
        ? metric
        : { ...evaluators.runs.refreshed(row.workspace_id, metric), binary: isAlwaysBinary(db, row.no, { profileNo, metricNo }) },
    ),
  }))
}
