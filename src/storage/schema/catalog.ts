import type { Generated } from 'kysely'
import type { JsonText, StatusColumn } from './column.ts'

export interface BenchmarksTable {
  no: Generated<number>
  /** Null: bundled with the product, visible to every workspace. */
  workspace_id: string | null
  slug: string
  origin: 'bundled' | 'recipe' | 'imported'
  status: 'candidate' | 'active' | 'quarantined' | 'retired'
  title: string
  runner: string
  /** A BenchmarkDefinition without its profiles. */
  definition: JsonText
  /** Lower-case text that searches look in. */
  search: string
  created_at: string
}

export interface BenchmarkVersionsTable {
  no: Generated<number>
  benchmark_no: number
  version: string
  source_ref: string
  digest: string
  task_count: number
  files: JsonText
  /** Worked examples in their fixed order. */
  shots: JsonText
  /** `staging` while its tasks are being written: invisible, and removed at the next start. */
  state: 'staging' | 'ready'
  /** Of a version that a package gives: `hidden` while the package is in review. Null: the benchmark's own. */
  status: Generated<'hidden' | 'candidate' | 'active' | 'quarantined' | 'retired' | null>
  created_at: string
}

export interface ProfilesTable {
  id: string
  version_no: number
  position: number
  /** A ProfileDefinition. */
  definition: JsonText
  prompt_digest: string
}

export interface TasksTable {
  no: Generated<number>
  version_no: number
  position: number
  task_id: string
  split: 'test' | 'canonical'
  preview: string
  input_characters: number
  choices: number | null
  /** JSON array of strings. */
  capabilities: JsonText
  /** JSON array of task ids. */
  depends_on: JsonText
  /** JSON object: the values by which results are broken down. */
  facets: JsonText
  /** JSON of a TaskShape; null for one question in plain text. */
  shape: JsonText | null
  /** The whole Task as JSON, zstd. */
  content: Uint8Array
}

export interface ImportsTable {
  id: string
  workspace_id: string
  status: StatusColumn<'validating' | 'previewed' | 'imported' | 'failed'>
  /** The contract's ImportRecord without its status. */
  record: JsonText
  created_at: string
}
