import type { FeedbackStatus } from '../../contract/feedback/feedback.machine.ts'
import type { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

/** Texts are stored after secrets were taken out of them. */
export interface FeedbackTable {
  id: string
  workspace_id: string
  principal_id: string
  status: StatusColumn<FeedbackStatus>
  kind: FeedbackReport['kind']
  severity: FeedbackReport['severity']
  summary: string
  details: string | null
  attempted: JsonText | null
  expected: string | null
  actual: string | null
  agent: JsonText | null
  client: JsonText | null
  contact_ok: 0 | 1
  /** What like reports have in common. */
  fingerprint: string
  duplicate_of: string | null
  pr_url: string | null
  resolution_note: string | null
  created_at: string
  updated_at: string
}
