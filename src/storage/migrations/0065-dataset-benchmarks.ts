/** Benchmark versions that were made of a dataset version, so that every score leads back to its example and to where that came from. */
export const datasetBenchmarks = `
create table dataset_benchmarks (
  workspace_id text not null references workspaces, source_ref text not null, dataset_version_id text not null references dataset_versions (id),
  slug text not null, title text not null, profile_id text not null, evaluator_version_id text not null references evaluator_versions (id),
  created_at text not null,
  primary key (workspace_id, source_ref, dataset_version_id)
) strict, without rowid;
create index dataset_benchmarks_of_version on dataset_benchmarks (dataset_version_id, created_at);
`
