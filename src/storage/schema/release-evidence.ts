import type { Generated } from 'kysely'
import type { EvidenceFormat } from '../../contract/releases/evidence.schemas.ts'
import type { JsonText } from './column.ts'

export interface ReleaseEvidenceTable {
  no: Generated<number>
  id: string
  workspace_id: string
  name: string
  format: EvidenceFormat
  sha256: string
  bytes: number
  /** As received. */
  content: Uint8Array
  /** The contract's EvidenceSource. */
  source: JsonText
  produced_at: string | null
  /** The contract's EvidenceStatement, of `manual` evidence. */
  statement: JsonText | null
  /** The contract's By. */
  made_by: JsonText
  created_at: string
}

export interface ReleaseAnalysesTable {
  no: Generated<number>
  evidence_no: number
  /** From 1, in each evidence. */
  n: number
  suite_version_id: string | null
  /** The contract's EvidenceAnalysis. */
  analysis: JsonText
  digest: string
  created_at: string
}

/** Tasks of an analysis in the order of the file, `tasksPerChunk` in each row but the last. */
export interface ReleaseAnalysisTasksTable {
  analysis_no: number
  chunk: number
  /** The contract's EvidenceTask[]. */
  tasks: JsonText
}
