import { ReleaseRule } from '../../contract/releases/rules.schemas.ts'

export type RuleKind = ReleaseRule['kind']

/** What a new rule of each kind says until it is changed. */
const starts: Readonly<Record<RuleKind, Readonly<Record<string, unknown>>>> = {
  min_score: { threshold: 0.5 },
  superiority: {},
  non_inferiority: { margin: 0.05 },
  no_critical_regression: {},
  max_error_rate: { threshold: 0.1 },
  max_cost: { max_microusd_per_task: '10000' },
  max_latency: { quantile: 0.95, max_ms: 5000 },
  judge_calibrated: { min_kappa: 0.4, min_n: 30, max_age_days: 90 },
  min_coverage: { of: 'samples', share: 0.95 },
  min_labels: { min_n: 20 },
  open_issues: { severity: 'critical' },
}

/** A rule of a kind with a key that the others do not have. */
export function newRule(kind: RuleKind, others: readonly ReleaseRule[]): ReleaseRule {
  const base = kind.replaceAll('_', '-')
  const taken = new Set(others.map(({ key }) => key))
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}-${n}`
  return ReleaseRule.parse({ kind, key, ...starts[kind] })
}

export const ruleKinds = Object.keys(starts) as RuleKind[] // the keys of the record above

/** Kinds that compare the candidate with a baseline. */
export const paired: readonly RuleKind[] = ['superiority', 'non_inferiority', 'no_critical_regression']

/** What most releases ask for. */
export function usualRules(): readonly ReleaseRule[] {
  return (['min_score', 'non_inferiority', 'max_error_rate'] as const).reduce<readonly ReleaseRule[]>(
    (rules, kind) => [...rules, newRule(kind, rules)],
    [],
  )
}

/** Kinds that look at the tasks of a group, and those that test a figure by its bound. */
export const grouped: readonly RuleKind[] = [
  'min_score',
  'superiority',
  'non_inferiority',
  'no_critical_regression',
  'max_error_rate',
  'max_cost',
  'max_latency',
  'min_coverage',
  'min_labels',
]
export const tested: readonly RuleKind[] = ['min_score', 'superiority', 'non_inferiority', 'max_error_rate', 'max_cost', 'max_latency']
export const scored: readonly RuleKind[] = ['min_score', 'superiority', 'non_inferiority', 'no_critical_regression']
export const external: readonly RuleKind[] = ['min_score', 'superiority', 'non_inferiority', 'max_error_rate', 'min_coverage']

/** A rule with one parameter changed; unchanged where the contract does not take it. */
export function withParameter(rule: ReleaseRule, change: Readonly<Record<string, unknown>>): ReleaseRule {
  const parsed = ReleaseRule.safeParse({ ...rule, ...change })
  return parsed.success ? parsed.data : rule
}
