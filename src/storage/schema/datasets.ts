import type { Generated } from 'kysely'
import type { JsonText, StatusColumn } from './column.ts'

export interface DatasetsTable {
  /** By `nextNumber`. */
  no: number
  id: string
  workspace_id: string
  name: string
  description: string
  task: 'answer' | 'classify' | 'pairwise' | 'score'
  /** JSON array of labels; null for scores. */
  menu: JsonText | null
  score_low: number | null
  score_high: number | null
  archived: Generated<number>
  /** 1 while its rows are deleted: it is not found any longer. */
  deleting: Generated<number>
  /** Lower-case text that searches look in. */
  search: string
  /** Grows whenever labels of the dataset change: what was computed from labels is good for one value of it. */
  label_changes: Generated<number>
  created_at: string
  updated_at: string
}

export interface DatasetExamplesTable {
  no: Generated<number>
  id: string
  dataset_no: number
  /** The import that has written it and has not landed yet; null for every example that is visible. */
  import_no: number | null
  /** The current one. */
  revision: number
  /** SHA-256 of the current revision's content. */
  digest: Uint8Array
  /** What identifies it where it comes from, so that it is revised and not added again. */
  source_key: string | null
  origin_kind: 'manual' | 'import' | 'run' | 'trace' | 'provider_dataset'
  origin_ref: JsonText | null
  review_state: StatusColumn<'draft' | 'in_review' | 'approved' | 'rejected'>
  /** The consensus as JSON. */
  label: JsonText | null
  label_state: 'none' | 'unanimous' | 'majority' | 'tie'
  label_by: 'person' | 'key' | null
  created_at: string
  updated_at: string
}

export interface DatasetRevisionsTable {
  no: Generated<number>
  example_no: number
  revision: number
  /** `{input, output, expected, metadata}`. */
  content: JsonText
  digest: Uint8Array
  /** The contract's By. */
  made_by: JsonText
  created_at: string
  /** The review state in which a later revision replaced it. */
  final_state: string | null
}

export interface DatasetLabelsTable {
  no: Generated<number>
  example_no: number
  revision: number
  annotator: string
  maker: 'person' | 'key'
  /** The person or key that sent it. */
  maker_id: string
  value: JsonText
  note: string | null
  at: string
}

export interface DatasetVerificationsTable {
  no: Generated<number>
  id: string
  example_no: number
  revision: number
  kind: 'human_review' | 'duplicate_scan' | 'secret_scan' | 'grader_agreement'
  outcome: string
  /** The contract's By. */
  made_by: JsonText
  detail: JsonText
  at: string
}

export interface DatasetVersionsTable {
  no: Generated<number>
  id: string
  dataset_no: number
  version: number
  name: string
  filter: JsonText
  digest: string
  example_count: number
  labeled_count: number
  labeled_by_people_count: number
  made_by: JsonText
  /** The contract's VersionAnnotators; null for versions that were frozen before these were stored. */
  annotators: JsonText | null
  /** 0 while its examples are being written: invisible, and removed at the next start. */
  sealed: number
  created_at: string
}

export interface DatasetVersionExamplesTable {
  version_no: number
  example_no: number
  revision: number
  digest: Uint8Array
  label: JsonText | null
  label_state: 'none' | 'unanimous' | 'majority' | 'tie'
  label_by: 'person' | 'key' | null
}

export interface DatasetImportsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  dataset_no: number
  status: StatusColumn<'validating' | 'writing' | 'landing' | 'previewed' | 'imported' | 'failed'>
  job_id: string | null
  /** The contract's DatasetImport without status and job. */
  record: JsonText
  created_at: string
}

export interface DatasetScansTable {
  no: Generated<number>
  id: string
  workspace_id: string
  dataset_no: number
  status: StatusColumn<'queued' | 'running' | 'succeeded' | 'failed'>
  job_id: string | null
  /** The contract's DatasetScan without status and job. */
  record: JsonText
  created_at: string
}

/** How many visible examples have a value; kept by triggers. */
export interface DatasetFacetsTable {
  dataset_no: number
  facet: 'review' | 'label_state' | 'label' | 'origin'
  value: string
  examples: number
}
