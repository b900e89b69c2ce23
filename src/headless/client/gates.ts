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
export function requireMetrics(
  { profiles, execution: { epochs } }: Pick<Quote, 'profiles'> & { readonly execution: Pick<Quote['execution'], 'epochs'> },
  { fail_under: thresholds }: Gates,
): void {
  const metrics = profiles.flatMap(profile => profile.metrics)
  const known = new Set(metrics.map(({ id }) => id))
  const repeated = new Set(metrics.flatMap(({ id, binary, aggregation }) => (binary && aggregation === undefined ? [id] : [])))
  const isKnown = (metric: string): boolean => {
    const attempts = attemptsOf(metric)
    if (attempts === null || !repeated.has(attempts.metric)) return metric === 'primary' || known.has(metric)
    // All answers vote, and of two the first always wins.
    return attempts.votes ? attempts.k === epochs && epochs >= 3 : attempts.k <= epochs
  }
  const unknown = Object.keys(thresholds ?? {}).find(metric => !isKnown(metric))
  if (unknown === undefined) return
  const attempts = attemptsOf(unknown)
  if (attempts?.votes && repeated.has(attempts.metric))
    throw new UsageError(
      `--fail-under: in "${unknown}" all answers to a task vote, three or more, and the run makes ${epochs} (--epochs).${epochs >= 3 ? ` Write "${attempts.metric}.majority_${epochs}".` : ''}`,
    )
  if (attempts !== null && repeated.has(attempts.metric))
    throw new UsageError(`--fail-under: "${unknown}" needs ${attempts.k} attempts at each task, and the run makes ${epochs} (--epochs).`)
  throw new UsageError(`--fail-under: no benchmark of this run has a metric "${unknown}". It has primary, ${[...known].join(', ')}.`)
}

/** `exact.pass_hat_7`: pass^7 of the metric `exact`; `exact.majority_7`: the vote of all seven answers. */
function attemptsOf(name: string): { readonly metric: string; readonly k: number; readonly votes: boolean } | null {
  const [, metric, kind, k] = /^(.+)\.(pass_at|pass_hat|majority)_([1-9]\d*)$/.exec(name) ?? []
  return metric === undefined ? null : { metric, k: Number(k), votes: kind === 'majority' }
}

function judgeScore(results: Results, name: string, lowest: number, gates: Gates): GateVerdict[] {
  const attempts = attemptsOf(name)
  // Of one attempt either is the score itself.
  const metric = attempts?.k === 1 ? attempts.metric : name
  const chosen = results.metrics.filter(one => (metric === 'primary' ? one.primary : one.metric === metric))
  if (chosen.length === 0) {
    const reason = attempts?.votes
      ? `There is no vote for "${metric}": it needs several answers to each task, of at most 200 characters.`
      : `No profile of the run has a metric "${metric}".`
    return [{ verdict: 'unclear', text: reason }]
  }
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

/** A drop within the margin is not a regression, one that the comparison shows is; everything between is undecided. */
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
