/** How often in a row the service ended while a job was running that got no further, and the furthest that it got. */
export const jobInterruptions = `
alter table jobs add column interruptions integer not null default 0;
alter table jobs add column furthest integer not null default 0;
`
