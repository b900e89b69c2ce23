import type { JsonText, StatusColumn } from './column.ts'

export interface CreatorNamespacesTable {
  name: string
  /** The name with what looks alike made the same: unique on this installation. */
  skeleton: string
  workspace_id: string
  title: string
  description: string
  verification: 'none' | 'key_registered' | 'key_confirmed'
  /** Ed25519, SPKI PEM. */
  public_key: string | null
  /** SHA-256 of the key's DER bytes, hexadecimal. */
  key_fingerprint: string | null
  created_at: string
}

export interface CreatorPackagesTable {
  id: string
  workspace_id: string
  namespace: string
  name: string
  skeleton: string
  version: string
  title: string
  status: StatusColumn<'uploaded' | 'validating' | 'in_review' | 'accepted' | 'published' | 'rejected' | 'withdrawn'>
  /** Its name and version stay taken. */
  ever_accepted: 0 | 1
  quarantined: 0 | 1
  sha256: string
  bytes: number
  /** The package as uploaded: a zip, or the canonical JSON it was sent as. */
  content: Uint8Array
  /** JSON array of {path, bytes, sha256}. */
  files: JsonText
  manifest: JsonText | null
  signature: 'none' | 'valid' | 'invalid'
  task_count: number
  ruleset: number
  job_id: string | null
  uploader_kind: 'person' | 'key'
  uploader_id: string
  uploader_name: string
  benchmark_version_no: number | null
  created_at: string
}

export interface CreatorReviewsTable {
  id: string
  package_id: string
  kind: 'automated' | 'human'
  check_name: string
  outcome: string
  figures: JsonText
  detail: string
  task_ids: JsonText
  reviewer: string | null
  ruleset: number
  at: string
}
