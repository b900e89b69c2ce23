import type { JsonText, StatusColumn } from './column.ts'

export interface AnswerImportsTable {
  id: string
  workspace_id: string
  status: StatusColumn<'validating' | 'previewed' | 'imported' | 'failed'>
  job_id: string
  principal_id: string
  /** The contract's AnswerImportForm. */
  form: JsonText
  /** The contract's AnswerImport without its status. */
  record: JsonText
  created_at: string
}

/** What a log said of a sample. */
export interface LogScoresTable {
  run_no: number
  position: number
  name: string
  value: number
  explanation: string | null
  /** The verdict in words, where the file states one. */
  label: string | null
}
