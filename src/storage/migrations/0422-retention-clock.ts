/** What the machine's clock said when ages were last counted: one that jumped ahead removes nothing before a day has shown that it is right. */
export const retentionClock = `
create table retention_clock (no integer primary key check (no = 1), trusted_at text not null, held_since text) strict;
`
