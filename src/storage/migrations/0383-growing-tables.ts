/** What is asked at each start, wake-up and list finds its rows without reading a history (test/api/statement-plans.test.ts). */
export const growingTables = `
create index benchmarks_by_slug on benchmarks (slug);
create index creator_packages_of_version on creator_packages (benchmark_version_no) where benchmark_version_no is not null;
create index creator_packages_status on creator_packages (status, ruleset);
create index dataset_imports_status on dataset_imports (status);
create index dataset_versions_sealed on dataset_versions (sealed);
create index idempotency_open on idempotency (principal_id) where body is null;
create index imports_status on imports (status);
create index jobs_of_kind on jobs (kind, id);
create index media_references_expiry on media_references (expires_at) where expires_at is not null;
create index media_references_passing on media_references (workspace_id) where version_no is null;
create index regrades_dropped on regrades (dropped, run_no);
create index release_decisions_status on release_decisions (status, no);
create index runs_large on runs (frozen);
create index sessions_open on sessions (kind) where ended_at is null;
create index suite_versions_visibility on suite_versions (visibility, id);
create index webhook_deliveries_ended on webhook_deliveries (finished_at) where finished_at is not null;
`
