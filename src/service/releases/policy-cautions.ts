import type { NewReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import { fewestTasks, spentAlpha } from '../../lib/fewest-tasks.ts'

type Terms = Pick<NewReleasePolicy, 'rules' | 'confidence' | 'repeat'>

/** What a policy asks that no candidate can meet, whatever the suite. */
export function policyCautions({ rules, confidence, repeat }: Terms): string[] {
  const alpha = repeat === 'spend' ? spentAlpha(1 - confidence, 1) : 1 - confidence
  return rules.flatMap(rule => {
    const why = whyNever(rule, alpha)
    return why === null ? [] : [`The rule "${rule.key}" can never pass: ${why}`]
  })
}

function whyNever(rule: ReleaseRule, alpha: number): string | null {
  if (rule.kind === 'judge_calibrated')
    return rule.min_kappa < 1 ? null : 'the lower bound of κ is below 1 even if the judge agrees with every label. Lower min_kappa.'
  if (rule.basis === 'point' || rule.source === 'external') return null
  switch (rule.kind) {
    case 'min_score':
      return rule.metric !== null || fewestTasks(rule, alpha) !== null
        ? null
        : 'no number of right answers shows a pass/fail score of 100 % or more. Lower the threshold, or use basis "point".'
    case 'max_error_rate':
      return fewestTasks(rule, alpha) === null
        ? 'no number of tasks without an error shows an error rate of 0 %. Raise the threshold, or use basis "point".'
        : null
    case 'superiority':
      return rule.metric === null && rule.delta >= 1 ? 'no pass/fail score is more than 100 points above another. Lower delta.' : null
    default:
      return null
  }
}
