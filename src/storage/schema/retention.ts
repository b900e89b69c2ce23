import type { Generated } from 'kysely'
import type { RetentionEvent, RetentionKind } from '../../contract/retention/retention.schemas.ts'

export interface RetentionRulesTable {
  workspace_id: string
  kind: RetentionKind
  max_age_days: number | null
  max_items: number | null
}

/** One row, once ages were counted. */
export interface RetentionClockTable {
  no: number
  /** Instant from which ages were last counted. */
  trusted_at: string
  /** Since when the clock is so far ahead of it that nothing is removed by it. */
  held_since: string | null
}

/** Every change of a rule and every removal. */
export interface RetentionEventsTable {
  no: Generated<number>
  workspace_id: string
  kind: RetentionKind
  event: RetentionEvent['event']
  at: string
  by: string | null
  max_age_days: number | null
  max_items: number | null
  items: number
  before: string | null
}
