import type { RetentionKind, RetentionRule } from '../../contract/retention/retention.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatTimestamp } from '../../lib/format/time.ts'

export const retentionWords: Readonly<Record<RetentionKind, string>> = {
  traces: 'Traces',
  jobs: 'Ended jobs',
  deliveries: 'Webhook deliveries',
}

export function describeRule({ max_age_days: days, max_items: most }: RetentionRule): string {
  const parts = [
    ...(days === null ? [] : [days === 1 ? '1 day' : `${formatCount(days)} days`]),
    ...(most === null ? [] : [`the newest ${formatCount(most)}`]),
  ]
  return parts.length === 0 ? 'Keep everything' : `Keep ${parts.join(', at most ')}`
}

export function describeHold(until: string): string {
  return `Assay was off for more than 7 days, or the clock of this machine is wrong. Nothing more is removed by age until ${formatTimestamp(until)}, so that a wrong clock removes nothing.`
}
