import type { Generated } from 'kysely'
import type { ProviderSlot, ResourceKind, TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import type { SpanKind, SpanStatus, TraceSource } from '../../contract/traces/traces.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface TraceIntegrationsTable {
  id: string
  workspace_id: string
  slot: ProviderSlot
  provider: 'langfuse' | 'langsmith' | 'braintrust'
  name: string
  base_url: string
  project_id: string
  project_name: string
  project_workspace: string | null
  /** A person allowed an address of a private network. */
  allow_private: 0 | 1
  /** Encrypted JSON {key, secret}. */
  secret: Uint8Array | null
  secret_origin: string | null
  credential_hint: string | null
  status: StatusColumn<TraceIntegration['status']>
  backfill: JsonText | null
  /** Where the backfill is, as its adapter left it; null where the window is read or begins. */
  place: JsonText | null
  next_window_at: string | null
  last_error: JsonText | null
  deprecation: JsonText | null
  job_id: string | null
  created_at: string
  updated_at: string
}

export interface TracesTable {
  no: Generated<number>
  id: string
  workspace_id: string
  source: TraceSource
  /** Provider's address and project; empty for OTLP, whose traces cross services. */
  project: string
  provider_trace_id: string
  integration_id: string | null
  name: string
  model: string | null
  started_at: string
  ended_at: string | null
  span_count: number
  error_count: number
  input_tokens: number | null
  output_tokens: number | null
  input_preview: string | null
  output_preview: string | null
  /** The span that gives the trace its name and previews: the first root, or else the first span. */
  lead_span_id: string
  lead_is_root: 0 | 1
  lead_started_at: string
  model_started_at: string | null
  /** The backfill that read it last, so that each counts a trace once. */
  read_by: string | null
  created_at: string
  updated_at: string
}

export interface SpansTable {
  no: Generated<number>
  trace_no: number
  span_id: string
  revision: number
  parent_span_id: string | null
  is_root: 0 | 1
  name: string
  kind: SpanKind
  status: SpanStatus
  started_at: string
  ended_at: string | null
  duration_ms: number | null
  model: string | null
  input_tokens: number | null
  output_tokens: number | null
  input_preview: string | null
  output_preview: string | null
  mapping_version: number
  digest: Uint8Array
  /** JSON as it came, compressed. */
  raw: Uint8Array
}

/** Contents of a span that a later one replaced. */
export interface SpanRevisionsTable {
  trace_no: number
  span_id: string
  revision: number
  digest: Uint8Array
  raw: Uint8Array
  replaced_at: string
}

export interface TraceAnnotationsTable {
  trace_no: number
  provider_id: string
  span_id: string | null
  name: string
  value: JsonText
  comment: string | null
  created_at: string | null
}

/** A provider's dataset or experiment that a dataset reads. */
export interface WorkloadSourcesTable {
  id: string
  workspace_id: string
  dataset_id: string
  integration_id: string
  kind: ResourceKind
  resource_id: string
  version: string
  created_at: string
  updated_at: string
}

export interface WorkloadSourceItemsTable {
  source_id: string
  item_id: string
  example_id: string
  /** SHA-256 of the provider's item, in hexadecimal. */
  digest: string
}
