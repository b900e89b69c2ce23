import type { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import type { FeedbackStatus } from '../../contract/feedback/feedback.machine.ts'
import type { Status } from '../ui/values/statuses.ts'

export const feedbackStatuses: Readonly<Record<FeedbackStatus, Status>> = {
  received: { word: 'Received', tone: 'human' },
  triaged: { word: 'Triaged', tone: 'neutral' },
  accepted: { word: 'Accepted', tone: 'running' },
  pr_open: { word: 'Fix proposed', tone: 'running' },
  shipped: { word: 'Shipped', tone: 'pass' },
  declined: { word: 'Declined', tone: 'neutral' },
}

export const kindWords: Readonly<Record<FeedbackReport['kind'], string>> = {
  bug: 'Defect',
  missing_feature: 'Missing feature',
  docs: 'Documentation',
  confusing_behavior: 'Confusing behavior',
  other: 'Other',
}

export const severityWords: Readonly<Record<FeedbackReport['severity'], string>> = {
  blocker: 'Cannot continue',
  degraded: 'Costs time or quality',
  nice_to_have: 'Nice to have',
}

/** As choices of a select. */
export function optionsOf<Value extends string>(words: Readonly<Record<Value, string>>): { value: Value; label: string }[] {
  // The keys of a record are the values that its type names.
  return (Object.entries(words) as [Value, string][]).map(([value, label]) => ({ value, label }))
}
