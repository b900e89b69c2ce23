import type { WorkerState } from '../../contract/workers/workers.schemas.ts'
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
  /** X25519; null for workers of before keys could be shared. */
  public_key: string | null
  /** Id of the key or person that it joined with; null for workers of before this was kept. */
  joined_by: string | null
}

/** What an owner shares with a worker. */
export interface WorkerKeysTable {
  worker_id: string
  connection_id: string
  /** Id of the person. */
  shared_by: string
  shared_at: string
}
