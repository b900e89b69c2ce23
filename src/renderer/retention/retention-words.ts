import type { RetentionKind, RetentionRule } from '../../contract/retention/retention.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'

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
