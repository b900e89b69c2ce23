import type { ReleaseRule } from '../../../contract/releases/rules.schemas.ts'
import { fewestTasks } from '../../../lib/fewest-tasks.ts'
import { exactRate } from '../../statistics/one-sided.ts'

/** The tasks that a rule looks at. */
export interface RuleScope {
  readonly tasks: number
  /** Whether the rule tests one rate of independent successes: one group, whose primary metric is pass or fail. */
  readonly isOneRate: boolean
}

/**
 * Why a rule cannot pass on so few tasks, even if the candidate answers every one of them right, without an error and at once; null
 * where it can. Looks and repeated attempts only ask for more.
 */
export function whyCannotPass(rule: ReleaseRule, { tasks, isOneRate }: RuleScope, alpha: number): string | null {
  if (rule.basis === 'point' || rule.source === 'external' || tasks === 0) return null
  const needs = (fewest: number | null, never: string) =>
    fewest === null ? never : `${fewest.toLocaleString('en-US')} tasks are needed, and there are ${tasks.toLocaleString('en-US')}.`
  switch (rule.kind) {
    case 'min_score': {
      if (!isOneRate || rule.metric !== null) return null
      const best = exactRate(tasks, tasks).lower(alpha) ?? 1
      if (best >= rule.threshold || rule.threshold > 1) return null
      const detail = needs(fewestTasks(rule, alpha), 'No number of tasks shows a score of 100 %.')
      return `The rule "${rule.key}" cannot pass: with every answer right, the score is shown to be at least ${percent(best)}, and ${percent(rule.threshold)} is required. ${detail}`
    }
    case 'max_error_rate': {
      const best = exactRate(0, tasks).upper(alpha) ?? 0
      if (best <= rule.threshold) return null
      const detail = needs(fewestTasks(rule, alpha), 'No number of tasks shows an error rate of 0 %.')
      return `The rule "${rule.key}" cannot pass: without a single error, the rate is shown to be at most ${percent(best)}, and ${percent(rule.threshold)} is allowed. ${detail}`
    }
    case 'max_latency': {
      if (rule.quantile ** tasks <= alpha) return null
      return `The rule "${rule.key}" cannot pass: the ${percent(rule.quantile)} quantile has no upper bound yet. ${needs(fewestTasks(rule, alpha), '')}`
    }
    default:
      return null
  }
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}
