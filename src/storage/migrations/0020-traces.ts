/** Traces of tracing providers and of OTLP: integrations with their sealed secrets and places, traces, spans with every revision, annotations. */
export const traces = `
create table trace_integrations (
  id text primary key, workspace_id text not null references workspaces,
  slot text not null check (slot in ('provider-a', 'provider-b', 'provider-c')),
  provider text not null check (provider in ('langfuse', 'langsmith', 'braintrust')),
  name text not null, base_url text not null, project_id text not null, project_name text not null, project_workspace text,
  allow_private integer not null check (allow_private in (0, 1)),
  secret blob, secret_origin text, credential_hint text,
  status text not null check (status in ('connected', 'backfilling', 'paused', 'attention', 'disconnected')),
  backfill text check (json_valid(backfill)), place text check (json_valid(place)),
  next_window_at text, last_error text check (json_valid(last_error)), deprecation text check (json_valid(deprecation)),
  job_id text, created_at text not null, updated_at text not null,
  check ((secret is null) = (secret_origin is null))
) strict;
create unique index trace_integrations_live on trace_integrations (workspace_id, provider, base_url, project_id) where status <> 'disconnected';
create index trace_integrations_of_workspace on trace_integrations (workspace_id, id);
create index trace_integrations_following on trace_integrations (next_window_at) where next_window_at is not null;
create table traces (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces,
  source text not null check (source in ('otlp', 'langfuse', 'langsmith', 'braintrust')),
  project text not null, provider_trace_id text not null, integration_id text references trace_integrations,
  name text not null, model text, started_at text not null, ended_at text,
  span_count integer not null, error_count integer not null, input_tokens integer, output_tokens integer,
  input_preview text, output_preview text,
  lead_span_id text not null, lead_is_root integer not null, lead_started_at text not null, model_started_at text,
  read_by text, created_at text not null, updated_at text not null
) strict;
create unique index traces_identity on traces (workspace_id, source, project, provider_trace_id);
create index traces_by_start on traces (workspace_id, started_at, no);
create index traces_by_source on traces (workspace_id, source, started_at, no);
create index traces_by_integration on traces (integration_id, started_at, no) where integration_id is not null;
create index traces_by_model on traces (workspace_id, model, started_at, no) where model is not null;
create index traces_with_errors on traces (workspace_id, started_at, no) where error_count > 0;
create virtual table trace_search using fts5 (
  name, ids, input, output, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
create table spans (
  no integer primary key, trace_no integer not null references traces, span_id text not null, revision integer not null,
  parent_span_id text, is_root integer not null, name text not null, kind text not null, status text not null,
  started_at text not null, ended_at text, duration_ms real, model text, input_tokens integer, output_tokens integer,
  input_preview text, output_preview text, mapping_version integer not null, digest blob not null, raw blob not null
) strict;
create unique index spans_identity on spans (trace_no, span_id);
create table span_revisions (
  trace_no integer not null references traces, span_id text not null, revision integer not null,
  digest blob not null, raw blob not null, replaced_at text not null,
  primary key (trace_no, span_id, revision)
) strict;
create table trace_annotations (
  trace_no integer not null references traces, provider_id text not null, span_id text, name text not null,
  value text not null check (json_valid(value)), comment text, created_at text,
  primary key (trace_no, provider_id)
) strict;
`
