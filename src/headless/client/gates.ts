import type { Comparison, Difference, MetricResult, Results, RunConfig } from '../../contract/index.ts'
import { profileTitle } from '../../engine/reporting/report/page/result-names.ts'
import { formatDifference, formatEstimate, formatPercent } from '../../lib/format/percent.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'

export interface GateVerdict {
  readonly verdict: 'pass' | 'fail' | 'unclear'
  readonly text: string
}

/** What the gates say of a result. @param comparison with the baseline, where there is one */
export function judgeGates(results: Results, comparison: Comparison | null, gates: RunConfig['gates']): GateVerdict[] {
  const thresholds = Object.entries(gates.fail_under ?? {}).flatMap(([metric, lowest]) => judgeScore(results, metric, lowest))
  return [...thresholds, ...(gates.no_regression ? judgeRegression(comparison) : [])]
}

/** A gate that failed outweighs one that is unclear. */
export function exitCodeOfGates(verdicts: readonly GateVerdict[]): ExitCode {
  if (verdicts.some(({ verdict }) => verdict === 'fail')) return exitCodes.gateFailed
  return verdicts.some(({ verdict }) => verdict === 'unclear') ? exitCodes.inconclusive : exitCodes.passed
}

function judgeScore(results: Results, metric: string, lowest: number): GateVerdict[] {
  const chosen = results.metrics.filter(one => (metric === 'primary' ? one.primary : one.metric === metric))
  if (chosen.length === 0) return [{ verdict: 'unclear', text: `No profile of the run has a metric "${metric}".` }]
  return chosen.map(one => ({ verdict: verdictOn(one, lowest), text: describeScore(results, one, lowest) }))
}

/** Samples without a score could have gone either way: the verdict must hold for both, else it is unclear. */
function verdictOn(
  { estimate: { mean }, unscored, worst_case: worst, best_case: best }: MetricResult,
  lowest: number,
): GateVerdict['verdict'] {
  if (mean === null) return 'unclear'
  if (unscored === 0) return mean >= lowest ? 'pass' : 'fail'
  if (worst !== null && worst >= lowest) return 'pass'
  return best !== null && best < lowest ? 'fail' : 'unclear'
}

function describeScore(results: Results, { profile_id: profile, metric, estimate, unscored }: MetricResult, lowest: number): string {
  const missing = unscored === 0 ? '' : `, ${unscored} unscored`
  return `${profileTitle(results, profile)}, ${metric}: ${formatEstimate(estimate)}${missing}, required ${formatPercent(lowest)}`
}

function judgeRegression(comparison: Comparison | null): GateVerdict[] {
  const headlines = comparison?.differences.filter(({ headline }) => headline) ?? []
  if (headlines.length === 0) return [{ verdict: 'unclear', text: 'There is no comparison with the baseline.' }]
  return headlines.map(difference => ({ verdict: verdictOnDifference(difference), text: describeDifference(difference) }))
}

/** Lower by more than chance explains: the comparison's own verdict, at its own level. */
function verdictOnDifference({ difference, verdict }: Difference): GateVerdict['verdict'] {
  if (difference === null) return 'unclear'
  return verdict === 'worse' ? 'fail' : 'pass'
}

function describeDifference({
  title,
  metric_title,
  n,
  difference,
  interval,
  wins,
  losses,
  minimum_detectable_difference: least,
}: Difference): string {
  const range = interval === null ? '' : ` (${formatDifference(interval.low)} to ${formatDifference(interval.high)})`
  const power = least === null ? '' : `; differences below ${formatPercent(least)} would often be missed`
  return `${title} ${metric_title} against the baseline: ${formatDifference(difference)}${range} on ${n} tasks, ${wins} better, ${losses} worse${power}`
}
