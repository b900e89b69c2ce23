import type { Comparison, Difference } from '../../contract/comparisons/comparisons.schemas.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import type { MetricResult, Results } from '../../contract/runs/results.schemas.ts'
import { profileTitle } from '../../engine/reporting/report/page/result-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDifference, formatEstimate, formatPercent } from '../../lib/format/percent.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'

type Gates = RunConfig['gates']

export interface GateVerdict {
  readonly verdict: 'pass' | 'fail' | 'unclear'
  readonly text: string
}

/** What the gates say of a result. @param comparison with the baseline, where there is one */
export function judgeGates(results: Results, comparison: Comparison | null, gates: Gates): GateVerdict[] {
  const thresholds = Object.entries(gates.fail_under ?? {}).flatMap(([metric, lowest]) => judgeScore(results, metric, lowest, gates))
  return [...thresholds, ...(gates.no_regression ? judgeRegression(comparison, gates) : [])]
}

/** A gate that failed outweighs one that is unclear. */
export function exitCodeOfGates(verdicts: readonly GateVerdict[]): ExitCode {
  if (verdicts.some(({ verdict }) => verdict === 'fail')) return exitCodes.gateFailed
  return verdicts.some(({ verdict }) => verdict === 'unclear') ? exitCodes.inconclusive : exitCodes.passed
}

/** Before anything is spent: a gate on a metric that no profile has could never pass. @throws UsageError */
export function requireMetrics(profiles: Quote['profiles'], { fail_under: thresholds }: Gates): void {
  const known = new Set(profiles.flatMap(({ metrics }) => metrics.map(({ id }) => id)))
  const unknown = Object.keys(thresholds ?? {}).find(metric => metric !== 'primary' && !known.has(metric))
  if (unknown === undefined) return
  throw new UsageError(`--fail-under: no benchmark of this run has a metric "${unknown}". It has primary, ${[...known].join(', ')}.`)
}

function judgeScore(results: Results, metric: string, lowest: number, gates: Gates): GateVerdict[] {
  const chosen = results.metrics.filter(one => (metric === 'primary' ? one.primary : one.metric === metric))
  if (chosen.length === 0) return [{ verdict: 'unclear', text: `No profile of the run has a metric "${metric}".` }]
  return chosen.map(one => {
    const few = one.estimate.n < gates.min_tasks && !gates.fixed_tasks
    return {
      verdict: few ? 'unclear' : verdictOn(one, lowest, gates.fixed_tasks),
      text: `${describeScore(results, one, lowest)}${few ? fewer(gates) : ''}`,
    }
  })
}

/**
 * Both bounds of the interval must be on one side. Samples without a score could have gone either way: the verdict must hold for the
 * worst and the best case too.
 */
function verdictOn(
  { estimate: { mean, interval }, unscored, worst_case: worst, best_case: best }: MetricResult,
  lowest: number,
  fixedTasks: boolean,
): GateVerdict['verdict'] {
  if (mean === null) return 'unclear'
  const [low, high] = fixedTasks ? [mean, mean] : [interval?.low ?? 0, interval?.high ?? 1]
  if (low >= lowest && (unscored === 0 || (worst !== null && worst >= lowest))) return 'pass'
  return high < lowest && (unscored === 0 || (best !== null && best < lowest)) ? 'fail' : 'unclear'
}

function describeScore(results: Results, { profile_id: profile, metric, estimate, unscored }: MetricResult, lowest: number): string {
  const missing = unscored === 0 ? '' : `, ${formatCount(unscored)} unscored`
  return `${profileTitle(results, profile)}, ${metric}: ${formatEstimate(estimate, true)}${missing}, required ${formatPercent(lowest)}`
}

function judgeRegression(comparison: Comparison | null, gates: Gates): GateVerdict[] {
  const headlines = comparison?.differences.filter(({ headline }) => headline) ?? []
  if (headlines.length === 0) return [{ verdict: 'unclear', text: 'There is no comparison with the baseline.' }]
  return headlines.map(difference => ({
    verdict: verdictOnDifference(difference, gates),
    text: `${describeDifference(difference, gates)}${isTooFew(difference, gates) ? fewer(gates) : ''}`,
  }))
}

/** A drop within the margin is none, one that the comparison shows is one; everything between is not settled. */
function verdictOnDifference(compared: Difference, gates: Gates): GateVerdict['verdict'] {
  const { difference, interval, verdict } = compared
  if (difference === null || isTooFew(compared, gates)) return 'unclear'
  if (gates.fixed_tasks) return difference >= -gates.margin ? 'pass' : 'fail'
  if (interval !== null && interval.low >= -gates.margin) return 'pass'
  return verdict === 'worse' ? 'fail' : 'unclear'
}

function isTooFew({ n }: Difference, { min_tasks: least, fixed_tasks: fixed }: Gates): boolean {
  return n < least && !fixed
}

function fewer({ min_tasks: least }: Gates): string {
  return `; at least ${formatCount(least)} tasks are required (--min-tasks), or --fixed-tasks`
}

function describeDifference({ title, metric_title, n, difference, interval, wins, losses }: Difference, { margin }: Gates): string {
  const range = interval === null ? '' : ` (${formatDifference(interval.low)} to ${formatDifference(interval.high)})`
  return `${title} ${metric_title} against the baseline: ${formatDifference(difference)}${range} on ${formatCount(n)} common tasks, ${formatCount(wins)} better, ${formatCount(losses)} worse; accepted drop ${formatPercent(margin)}`
}
