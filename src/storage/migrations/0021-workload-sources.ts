/** What a dataset took from a tracing provider, item by item, so that reading a page again adds nothing twice. */
export const workloadSources = `
create table workload_sources (
  id text primary key, workspace_id text not null references workspaces, dataset_id text not null references datasets (id),
  integration_id text not null references trace_integrations, kind text not null check (kind in ('dataset', 'experiment')),
  resource_id text not null, version text not null, created_at text not null, updated_at text not null
) strict;
create unique index workload_sources_identity on workload_sources (dataset_id, integration_id, kind, resource_id);
create table workload_source_items (
  source_id text not null references workload_sources, item_id text not null, example_id text not null, digest text not null,
  primary key (source_id, item_id)
) strict, without rowid;
`
