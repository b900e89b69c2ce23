/** Runs that a team compares with: they are offered first. */
export const pinnedRuns = `
alter table runs add column pinned_at text;
create index runs_pinned on runs (workspace_id, pinned_at) where pinned_at is not null;
`
