export interface EvaluationsTable {
  id: string
  workspace_id: string
  /** The run that executes it: name, status, money and results are the run's. */
  run_id: string
  suite_version_id: string | null
  /** The contract's ResolvedSelection[] as JSON, zstd. */
  selections: Uint8Array
  /** The Idempotency-Key it was submitted with, which names it permanently. */
  operation_key: string | null
  /** Digest of the request, so that an idempotency key cannot be reused for another one. */
  body_digest: string
  created_at: string
}
