import type { Metric, MetricEvaluator } from '../../contract/catalog/benchmarks.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import type { Estimate } from '../../contract/runs/results.schemas.ts'
import { evaluatorScorer } from '../../engine/execution/scheduler/ports.ts'
import { verdictParserVersion } from '../../engine/grading/judges/parse-verdict.ts'
import type { Database } from '../../storage/database.ts'
import { findCalibration, toCalibration } from './calibrations.store.ts'
import { isJudged, type EvaluatorTree } from './evaluator-tree.ts'

/**
 * An evaluator version as a metric of a profile, never its primary one.
 * @param taken ids of the profile's other metrics
 * @param caution where a judge grades a model of its own family
 */
export function evaluatorMetric(
  db: Database,
  snapshot: EvaluatorSnapshot,
  tree: EvaluatorTree,
  taken: readonly string[],
  caution: string | null,
): Metric {
  return {
    id: freeId(snapshot, taken),
    title: snapshot.version === 1 ? snapshot.name : `${snapshot.name} v${snapshot.version}`,
    scorer: evaluatorScorer,
    scorer_version: snapshot.version,
    options: evaluatorOptions(snapshot, tree),
    // Found out from the values once there are any.
    binary: false,
    primary: false,
    evaluator: describeEvaluator(db, snapshot, tree, caution),
  }
}

/** What its scores are compared by: also how replies of judges are read, which later releases may do otherwise. */
export function evaluatorOptions({ id, digest }: Pick<EvaluatorSnapshot, 'id' | 'digest'>, tree: EvaluatorTree): Metric['options'] {
  return { evaluator_version_id: id, digest, ...(isJudged(tree) && { verdict_parser: verdictParserVersion }) }
}

/** What its calibration says now. */
export function describeEvaluator(
  db: Database,
  { id, name, version, calibration }: EvaluatorSnapshot,
  tree: EvaluatorTree,
  caution: string | null,
): MetricEvaluator {
  const judged = isJudged(tree)
  const row = calibration.status === 'current' && calibration.id !== undefined ? findCalibration(db, calibration.id) : null
  if (!row) {
    const subject = judged ? 'judge score' : 'evaluator score'
    const statement = `${subject}, not calibrated`
    return { evaluator_version_id: id, name, version, judged, statement, self_preference: caution, rates: null }
  }
  const { kappa, agreement, n, verdict, sensitivity, specificity } = toCalibration(db, row)
  const rates =
    sensitivity?.mean != null && specificity?.mean != null && sensitivity.n > 0 && specificity.n > 0
      ? { sensitivity: sensitivity.mean, positives: sensitivity.n, specificity: specificity.mean, negatives: specificity.n }
      : null
  return {
    evaluator_version_id: id,
    name,
    version,
    judged,
    self_preference: caution,
    statement: `calibrated on ${n ?? 0} labeled examples: ${verdict ?? 'no verdict'}, agreement ${figure(agreement)}, kappa ${figure(kappa)}`,
    rates,
  }
}

function figure(estimate: Estimate | null): string {
  if (estimate?.mean == null) return 'undefined'
  const { interval } = estimate
  return `${estimate.mean.toFixed(2)}${interval ? ` (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})` : ''}`
}

function freeId({ name, version }: EvaluatorSnapshot, taken: readonly string[]): string {
  const slug =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, '')
      .slice(0, 60) || 'evaluator'
  const base = `${slug}_v${version}`
  let id = base
  for (let i = 2; taken.includes(id); i++) id = `${base}_${i}`
  return id
}
