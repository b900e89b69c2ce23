import { formatUsd } from './money.ts'
import { formatCount, formatNumber, formatSigned, noNumber } from './numbers.ts'
import { formatDuration } from './time.ts'

export type RuleUnit = 'share' | 'points' | 'cost' | 'latency' | 'count' | 'kappa'

const units: Readonly<Record<string, RuleUnit>> = {
  max_cost: 'cost',
  max_latency: 'latency',
  no_critical_regression: 'count',
  min_labels: 'count',
  open_issues: 'count',
  judge_calibrated: 'kappa',
  superiority: 'points',
  non_inferiority: 'points',
}

/** What the figures of a release rule of this kind count. */
export function ruleUnit(kind: string): RuleUnit {
  return units[kind] ?? 'share'
}

/** A figure of a release rule in its unit: `86.3 %`, `+12.5 points`, `$0.0012`, `1.4 s`. */
export function formatRuleFigure(kind: string, value: number | null): string {
  if (value === null || !Number.isFinite(value)) return noNumber
  switch (ruleUnit(kind)) {
    case 'cost':
      return formatUsd(String(Math.max(0, Math.round(value))))
    case 'latency':
      return formatDuration(value)
    case 'count':
      return formatCount(Math.round(value))
    case 'kappa':
      return value.toFixed(3)
    case 'points':
      return `${formatSigned(value * 100, 1)} points`
    case 'share':
      return `${formatNumber(value * 100, 1)} %`
  }
}

/** Kinds of rules that a low figure passes. */
const downward: readonly string[] = ['max_error_rate', 'max_cost', 'max_latency', 'no_critical_regression', 'open_issues']

/** Whether the rule asks for at least its threshold; otherwise for at most. */
export function isUpward(kind: string): boolean {
  return !downward.includes(kind)
}

interface RuleBounds {
  readonly kind: string
  readonly verdict: string
  /** What must clear the threshold. */
  readonly bound: number | null
  /** What fails the rule when it misses the threshold. */
  readonly opposite_bound: number | null
  readonly statistic: { readonly alpha: number } | null
}

/** The one side that a verdict rests on: the bound, and whether the true value lies above it. Null where nothing was tested. */
export function decidingBound({ kind, verdict, bound, opposite_bound: opposite }: RuleBounds): { at: number; above: boolean } | null {
  if (verdict === 'fail') return opposite === null ? null : { at: opposite, above: !isUpward(kind) }
  return bound === null ? null : { at: bound, above: isUpward(kind) }
}

/** What a rule's test says of the true value: `at least 79.1 % (one-sided, 95 %)`. Null where nothing was tested. */
export function describeBound(rule: RuleBounds): string | null {
  const side = decidingBound(rule)
  if (side === null) return null
  const sure = rule.statistic === null ? 'one-sided' : `one-sided, ${Number(((1 - rule.statistic.alpha) * 100).toFixed(2))} %`
  return `${side.above ? 'at least' : 'at most'} ${formatRuleFigure(rule.kind, side.at)} (${sure})`
}

/** What a rule asks for: `at least 50.0 %`. */
export function describeThreshold(kind: string, threshold: number): string {
  return `${isUpward(kind) ? 'at least' : 'at most'} ${formatRuleFigure(kind, threshold)}`
}
