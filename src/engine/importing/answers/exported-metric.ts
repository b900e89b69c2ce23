import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { scorerById } from '../../grading/scorers/registry.ts'
import type { ExportedMetrics } from '../../tasks/exported-metrics.ts'
import { refusedOptions } from './foreign-log.ts'

/** The metric that an export of Assay states, by the current version of its scorer; otherwise why it is not computed here. */
export function exportedMetric(id: string, stated: ExportedMetrics[string]): Metric | string {
  const { scorer, options, binary, primary } = stated
  const refusal = refusedOptions({ scorer, options })
  if (refusal !== null) return refusal
  return { id, title: id, scorer, scorer_version: scorerById(scorer).version, options, binary, primary }
}

/** Exactly one metric is primary: the stated one, or the first. */
export function withOnePrimary(metrics: readonly Metric[]): Metric[] {
  const chosen = Math.max(
    0,
    metrics.findIndex(({ primary }) => primary),
  )
  return metrics.map((metric, i) => ({ ...metric, primary: i === chosen }))
}
