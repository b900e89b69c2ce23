import type { ReleaseRule } from '../../../contract/releases/rules.schemas.ts'
import { normalQuantile } from '../../statistics/distributions/normal.ts'
import { exactRate, type OneSided } from '../../statistics/one-sided.ts'
import { quantileBounds } from '../../statistics/quantile-bounds.ts'
import { at } from '../../statistics/sample.ts'
import { estimateDifference, estimateMean, type Estimated, isBinaryOn } from './estimate-rule.ts'
import { estimateExternal } from './external-figures.ts'
import type { DecisionFigures, GroupColumns } from './figures.ts'

/** A rule's figures against its threshold, before it is seen among the others. Small p: the rule is met; small pFail: it is missed. */
export interface Measured {
  readonly estimate: number
  readonly n: number
  readonly threshold: number
  readonly method: string
  /** Whether larger is better. */
  readonly upwards: boolean
  readonly p: number
  readonly pFail: number
  /** What must clear the threshold, at an α. */
  bound(alpha: number): number | null
  opposite(alpha: number): number | null
  readonly standardError: number | null
  /** Fewer than 20 clusters: interim looks decide nothing. */
  readonly fewClusters: boolean
  readonly excluded: number
}

export type Measurement = Measured | { readonly why: string }

export type TestedRule = Extract<
  ReleaseRule,
  { kind: 'min_score' | 'superiority' | 'non_inferiority' | 'max_error_rate' | 'max_cost' | 'max_latency' }
>

export function isTested(rule: ReleaseRule): rule is TestedRule {
  return testedKinds.some(kind => kind === rule.kind)
}

const testedKinds = ['min_score', 'superiority', 'non_inferiority', 'max_error_rate', 'max_cost', 'max_latency'] as const

/** The statistic of a rule on the candidate's and the baseline's tasks. */
export function measureRule(rule: TestedRule, { groups: all, external }: Pick<DecisionFigures, 'groups' | 'external'>): Measurement {
  const groups = rule.group === null ? all : all.filter(({ key }) => key === rule.group)
  const metric = rule.metric ?? ''
  switch (rule.kind) {
    case 'min_score':
      if (rule.source === 'external') return upwards(estimateExternal(rule, groups, external), rule.threshold)
      return upwards(scoreOf(groups, metric), rule.threshold)
    case 'superiority':
    case 'non_inferiority': {
      const threshold = rule.kind === 'superiority' ? rule.delta : -rule.margin
      const estimated = rule.source === 'external' ? estimateExternal(rule, groups, external) : estimateDifference(groups, metric)
      return upwards(estimated, threshold)
    }
    case 'max_error_rate': {
      const failed = groups.flatMap(({ candidate }) => [...candidate.failed])
      if (failed.length === 0) return { why: 'There are no tasks.' }
      const one = exactRate(failed.filter(value => value === 1).length, failed.length)
      return downwards({ one, fewClusters: false, excluded: 0 }, rule.threshold)
    }
    case 'max_cost':
      return costOf(groups, Number(rule.max_microusd_per_task))
    case 'max_latency':
      return latencyOf(groups, rule.quantile, rule.max_ms)
  }
}

function scoreOf(groups: readonly GroupColumns[], metric: string): Estimated {
  return estimateMean(
    groups,
    ({ candidate }) => ({
      values: candidate.values[metric] ?? new Float64Array(candidate.failed.length).fill(Number.NaN),
      isBinary: isBinaryOn(candidate, metric),
    }),
    metric === '' ? 'a score' : `a value of the metric "${metric}"`,
  )
}

function costOf(groups: readonly GroupColumns[], threshold: number): Measurement {
  const unknown = groups.reduce((sum, { candidate: { cost } }) => sum + cost.filter(value => Number.isNaN(value)).length, 0)
  if (unknown > 0) return { why: `The cost of ${unknown} tasks is unknown: the connection states no rates, or tokens were not counted.` }
  const estimated = estimateMean(groups, ({ candidate: { cost } }) => ({ values: cost, isBinary: false }), 'a cost')
  const n = groups.reduce((sum, { tasks }) => sum + tasks.length, 0)
  // Nothing is charged for any task, which is known and not estimated.
  if (n > 0 && groups.every(({ candidate: { cost } }) => cost.every(value => value === 0))) return certain(0, n, threshold)
  return downwards(estimated, threshold)
}

function certain(estimate: number, n: number, threshold: number): Measured {
  return {
    estimate,
    n,
    threshold,
    method: 'exact',
    upwards: false,
    p: estimate <= threshold ? 0 : 1,
    pFail: estimate <= threshold ? 1 : 0,
    bound: () => estimate,
    opposite: () => estimate,
    standardError: null,
    fewClusters: false,
    excluded: 0,
  }
}

function latencyOf(groups: readonly GroupColumns[], quantile: number, limit: number): Measurement {
  const latencies = groups.flatMap(({ candidate: { latency } }) => [...latency])
  const known = latencies.filter(value => !Number.isNaN(value))
  const bounds = quantileBounds(known, quantile)
  if (bounds === null) return { why: 'No task has an answer or a timeout.' }
  return {
    estimate: bounds.estimate,
    n: bounds.n,
    threshold: limit,
    method: 'order_statistic',
    upwards: false,
    p: bounds.atMost(limit),
    pFail: bounds.moreThan(limit),
    bound: bounds.upper,
    opposite: bounds.lower,
    standardError: null,
    fewClusters: false,
    excluded: latencies.length - known.length,
  }
}

function upwards(estimated: Estimated, threshold: number): Measurement {
  return 'why' in estimated ? estimated : { ...facts(estimated, threshold), upwards: true, ...sides(estimated.one, threshold, true) }
}

function downwards(estimated: Estimated, threshold: number): Measurement {
  return 'why' in estimated ? estimated : { ...facts(estimated, threshold), upwards: false, ...sides(estimated.one, threshold, false) }
}

function facts({ one, fewClusters, excluded }: Exclude<Estimated, { why: string }>, threshold: number) {
  const { estimate, n, method, standardError } = one
  return { estimate, n, method, standardError, threshold, fewClusters, excluded }
}

function sides(one: OneSided, threshold: number, up: boolean): Pick<Measured, 'p' | 'pFail' | 'bound' | 'opposite'> {
  return up
    ? { p: one.above(threshold), pFail: one.below(threshold), bound: one.lower, opposite: one.upper }
    : { p: one.below(threshold), pFail: one.above(threshold), bound: one.upper, opposite: one.lower }
}

/** How many tasks would decide a rule if the estimate stayed as it is: n (2 z SE / distance)² grows with the square of the distance. */
export function tasksToDecide({ estimate, threshold, n, p, pFail }: Measured, alpha: number): number | null {
  const nearest = Math.min(p, pFail)
  if (estimate === threshold || nearest <= 0 || nearest >= 0.5) return null
  const [now, needed] = [-normalQuantile(nearest), -normalQuantile(alpha)]
  return now <= 0 ? null : Math.ceil(n * (needed / now) ** 2)
}

/** Mean cost of a task of these groups in micro-USD; null where it is not known. */
export function costPerTask(groups: readonly GroupColumns[]): number | null {
  const costs = groups.flatMap(({ candidate: { cost } }) => [...cost])
  if (costs.length === 0 || costs.some(value => Number.isNaN(value))) return null
  return costs.reduce((sum, _, i) => sum + at(costs, i), 0) / costs.length
}
