/** Whether a person stands behind the address of a connection. Its name must otherwise lead to public addresses alone. Those that are there may go on. */
export const connectionAskers = `
alter table connections add column by_person integer not null default 1 check (by_person in (0, 1));
`
