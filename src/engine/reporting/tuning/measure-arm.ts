import type { Estimate } from '../../../contract/runs/results.schemas.ts'
import type { TuneArm } from '../../../contract/tuning/race.schemas.ts'
import { comparePaired } from '../../statistics/compare.ts'
import { binomialCdf } from '../../statistics/distributions/binomial.ts'
import { tCritical } from '../../statistics/distributions/student-t.ts'
import { meanAndStandardError } from '../../statistics/means.ts'
import { mean, whyNotBinary } from '../../statistics/sample.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'
import { quantilesOf } from '../results/quantiles.ts'

/** What became of one case on one arm. */
export interface CaseOutcome {
  /** Null: the call failed or the grader gave no score. */
  readonly value: number | null
  /** Micro-USD of all its calls. */
  readonly cost: number
  /** Of the answer; null without one. */
  readonly latencyMs: number | null
}

export interface ArmData {
  readonly outcomes: readonly CaseOutcome[]
  /** Whether its rates are known, and so its cost. */
  readonly priced: boolean
}

export type ArmFigures = Pick<
  TuneArm,
  'n' | 'missing' | 'quality' | 'difference' | 'cost_per_case_microusd' | 'cost_difference_microusd' | 'latency'
>

const level = 0.95

/**
 * An arm's figures over the first cases that it was run on, beside the current call on the same cases. Quality leaves cases without a
 * score out; costs are of every case, retries included.
 * @param current null for the current call itself
 * @param clusters one name a case; null where cases are independent
 */
export function measureArm(
  { outcomes, priced }: ArmData,
  current: ArmData | null,
  clusters: readonly string[] | null,
  seed: number,
): ArmFigures {
  const scored = outcomes.flatMap(({ value }, i) => (value === null ? [] : [{ value, cluster: clusters?.[i] ?? '' }]))
  const values = scored.map(({ value }) => value)
  const binary = values.length > 0 && whyNotBinary(values) === null
  const summary = summarizeMetric(values, { binary, ...(clusters && { clusters: scored.map(({ cluster }) => cluster) }) })
  const isPriced = priced && outcomes.length > 0
  return {
    n: values.length,
    missing: outcomes.length - values.length,
    quality: {
      n: summary.n,
      mean: summary.mean,
      standard_error: summary.standardError,
      interval: summary.interval,
      reason: summary.reason,
      cautions: summary.cautions,
    },
    difference: current && difference(outcomes, current.outcomes, clusters, seed),
    cost_per_case_microusd: isPriced ? decimal(mean(outcomes.map(({ cost }) => cost))) : null,
    cost_difference_microusd: isPriced && current?.priced ? costDifference(outcomes, current.outcomes) : null,
    latency: latencyOf(outcomes),
  }
}

function difference(
  mine: readonly CaseOutcome[],
  theirs: readonly CaseOutcome[],
  clusters: readonly string[] | null,
  seed: number,
): Estimate {
  const pairs = mine.flatMap(({ value }, i) => {
    const other = theirs[i]?.value ?? null
    return value === null || other === null ? [] : [{ value, other, cluster: clusters?.[i] ?? '' }]
  })
  const [a, b] = [pairs.map(({ value }) => value), pairs.map(({ other }) => other)]
  const binary = pairs.length > 0 && whyNotBinary([...a, ...b]) === null
  const compared = comparePaired(a, b, { binary, level, seed, ...(clusters && { clusters: pairs.map(({ cluster }) => cluster) }) })
  return {
    n: compared.n,
    mean: compared.difference,
    standard_error: compared.standardError,
    interval: compared.interval && { ...compared.interval },
    reason: compared.reason,
    cautions: [...compared.cautions],
  }
}

/** Mean difference on the same cases and its one-sided 95 % bound, by Student's t. */
function costDifference(mine: readonly CaseOutcome[], theirs: readonly CaseOutcome[]): NonNullable<ArmFigures['cost_difference_microusd']> {
  const n = Math.min(mine.length, theirs.length)
  const differences = mine.slice(0, n).map(({ cost }, i) => cost - (theirs[i]?.cost ?? 0))
  const { mean: center, standardError } = meanAndStandardError(differences)
  const spread = n < 2 || standardError === null ? 0 : tCritical(0.9, n - 1) * standardError
  return { mean: center ?? 0, upper: (center ?? 0) + spread, n }
}

function latencyOf(outcomes: readonly CaseOutcome[]): ArmFigures['latency'] {
  const latencies = outcomes.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]))
  const { p50, p95 } = quantilesOf(latencies)
  return { p50_ms: p50, p95_ms: p95, p95_upper_ms: upperQuantile(latencies, 0.95, 0.975) }
}

/** Order statistic at or above the quantile with the confidence, whatever the distribution; null where no value is high enough. */
function upperQuantile(values: readonly number[], quantile: number, confidence: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  for (let rank = Math.ceil(quantile * sorted.length); rank <= sorted.length; rank++)
    if (rank > 0 && binomialCdf(rank - 1, sorted.length, quantile) >= confidence) return sorted[rank - 1] ?? null
  return null
}

function decimal(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(3)
}
