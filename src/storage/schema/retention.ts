import type { Generated } from 'kysely'
import type { RetentionEvent, RetentionKind } from '../../contract/retention/retention.schemas.ts'

export interface RetentionRulesTable {
  workspace_id: string
  kind: RetentionKind
  max_age_days: number | null
  max_items: number | null
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
