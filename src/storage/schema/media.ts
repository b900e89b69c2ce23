import type { Generated } from 'kysely'
import type { JsonText } from './column.ts'

export interface MediaTable {
  /** SHA-256 of the bytes in lower-case hexadecimal, by which the file is called. */
  digest: string
  media_type: string
  bytes: number
  width: number | null
  height: number | null
  duration_ms: number | null
  pages: number | null
  /** JSON array of texts. */
  cautions: JsonText
  created_at: string
}

export interface MediaReferencesTable {
  no: Generated<number>
  workspace_id: string
  digest: string
  /** One of these three, or none: an upload or a preview, which ends at `expires_at`. */
  version_no: number | null
  dataset_no: number | null
  session_no: number | null
  /** Null for a version; beyond any time for a dataset or a session. */
  expires_at: string | null
}

export interface ResizedMediaTable {
  source: string
  max_pixels: number
  digest: string
}

export interface TraceMediaTable {
  trace_no: number
  digest: string
}
