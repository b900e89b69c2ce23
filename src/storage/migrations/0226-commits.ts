/** How many transactions were committed, and when the last one was (milliseconds since 1970). */
export const commits = `
create table commits (no integer primary key check (no = 1), commits integer not null, at integer not null) strict;
insert into commits values (1, 0, 0);
`
