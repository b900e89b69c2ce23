/** A regrade that was cancelled or failed stays until its scores are removed, some at a time. */
export const droppedRegrades = `
alter table regrades add column dropped integer not null default 0 check (dropped in (0, 1));
`
