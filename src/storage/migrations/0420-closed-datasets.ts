/** A dataset that is being deleted, row by row: it is shown nowhere, and the next start ends what a stop interrupted. */
export const closedDatasets = `
alter table datasets add column deleting integer not null default 0 check (deleting in (0, 1));
create index datasets_deleting on datasets (id) where deleting = 1;
`
