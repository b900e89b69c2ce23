import type { WorkerState } from '../../contract/index.ts'
import type { JsonText, StatusColumn } from './column.ts'

/** Machines that work for this service; each start of a worker is a row. */
export interface WorkersTable {
  id: string
  workspace_id: string
  name: string
  labels: JsonText
  sandboxes: JsonText
  slots: number
  busy: number
  version: string
  samples: number
  status: StatusColumn<WorkerState>
  joined_at: string
  last_seen_at: string
}
