import type { Generated } from 'kysely'
import type { Issue, IssueSeverity } from '../../contract/releases/issues.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface ReleaseCalibrationsTable {
  id: string
  workspace_id: string
  evaluator_version_id: string
  /** The contract's ReleaseCalibration. */
  calibration: JsonText
  digest: string
  created_at: string
}

export interface ReleaseIssuesTable {
  id: string
  workspace_id: string
  title: string
  severity: IssueSeverity
  status: StatusColumn<Issue['status']>
  trace_id: string | null
  url: string | null
  reason: Issue['reason']
  last_result: Issue['last_result']
  created_at: string
  updated_at: string
}

export interface ReleaseIssueTasksTable {
  no: Generated<number>
  issue_id: string
  source_ref: string
  task_id: string
}

export interface ReleaseIssueEventsTable {
  id: string
  issue_id: string
  workspace_id: string
  /** The contract's IssueEvent. */
  event: JsonText
  created_at: string
}
