import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { Estimate, MetricResult } from '../../../contract/runs/results.schemas.ts'
import { worstBrierScore } from '../../grading/scorers/lm-eval/brier-score.scorer.ts'

/** Scorers whose score is a conversion to 0…1, each with its way back; the original figure falls where the score rises. */
const waysBack: Readonly<Record<string, (score: number, options: Metric['options']) => number>> = {
  'lm_eval/perplexity': (score, { unit }) => (unit === 'bits' ? -Math.log2(score) : 1 / score),
  'lm_eval/brier_score': score => (1 - score) * worstBrierScore,
}

/** The figure as the tool states it whose metric it is; empty where the score is that figure. */
export function originalFigure({ id, scorer, options }: Metric, { mean, interval }: Estimate): Pick<MetricResult, 'original'> {
  const wayBack = waysBack[scorer]
  if (!wayBack || mean === null) return {}
  const bound = (score: number | undefined) => (score === undefined || score <= 0 ? null : wayBack(score, options))
  return { original: { name: id, value: wayBack(mean, options), low: bound(interval?.high), high: bound(interval?.low) } }
}
