import type { NewPlanPreview, PlanPreview } from '../../contract/releases/decisions.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import { whyCannotPass } from '../../engine/reporting/releases/cannot-pass.ts'
import { criticalSum } from '../../engine/statistics/sample-size.ts'
import { detectableDifference, plannedVariance } from '../../lib/detectable-difference.ts'
import { spentAlpha } from '../../lib/fewest-tasks.ts'
import { isPaired } from './plan-decision.ts'

export interface PlannedSize {
  readonly groups: readonly { readonly key: string; readonly tasks: number }[]
  readonly epochs: number
  /** One-sided error of the plan. */
  readonly alpha: number
}

/** What sizes and rules can find out. Nothing is frozen by asking. */
export function previewPlan({ groups, rules, confidence, repeat, epochs }: NewPlanPreview): PlanPreview {
  const alpha = firstAlpha(Number((1 - confidence).toFixed(12)), repeat)
  const cautions = rules.flatMap(rule => whyCannotPass(rule, { tasks: tasksOf(groups, rule.group), isOneRate: false }, alpha) ?? [])
  return { tasks: tasksOf(groups, null), detectable: detectableMargins({ groups, epochs, alpha }, rules), cautions }
}

/** α of the first attempt. */
export function firstAlpha(alpha: number, repeat: ReleasePolicy['repeat']): number {
  return repeat === 'spend' ? spentAlpha(alpha, 1) : alpha
}

/** Smallest margin that each paired rule finds. */
export function detectableMargins({ groups, epochs, alpha }: PlannedSize, rules: ReleasePolicy['rules']): PlanPreview['detectable'] {
  return rules
    .filter(isPaired)
    .map(rule => ({ rule: rule.key, margin: detectableMargin(tasksOf(groups, rule.group), epochs, alpha, rules.length) }))
}

function tasksOf(groups: PlannedSize['groups'], group: string | null): number {
  return groups.reduce((sum, { key, tasks }) => sum + (group === null || key === group ? tasks : 0), 0)
}

/** With R rules, each at power 1 − 0.2/R, all of a true improvement's rules pass four times in five (Bonferroni). */
function detectableMargin(tasks: number, epochs: number, alpha: number, rules: number): number | null {
  if (tasks === 0) return null
  const margin = detectableDifference(plannedVariance(epochs), tasks, criticalSum({ alpha, power: 1 - 0.2 / rules }, 1))
  return margin <= 1 ? margin : null
}
