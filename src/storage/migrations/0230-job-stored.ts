/** How much of its work a job had stored when the service last ended while it was running. */
export const jobStored = `
alter table jobs add column stored integer not null default 0;
`
