import type { JobOwner, JobState } from '../../contract/jobs/jobs.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface JobsTable {
  id: string
  /** Null: of the whole machine. */
  workspace_id: string | null
  kind: string
  state: StatusColumn<JobState>
  /** What the handler of the kind takes. */
  input: JsonText
  subject_type: string | null
  subject_id: string | null
  owner_kind: JobOwner['kind']
  owner_id: string | null
  /** The contract's JobProgress. */
  progress: JsonText | null
  checkpoint: JsonText | null
  /** Fence: incremented at every claim, cancellation and retry. Holders of an older value may not write. */
  fence: number
  attempt: number
  /** Times in a row that the service ended while the job was running without having got further. */
  interruptions: number
  /** What its handler counted as stored when the service last ended so. */
  stored: number
  /** The greatest `done` of its progress since it was created or retried. */
  furthest: number
  error_code: string | null
  error_message: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}
