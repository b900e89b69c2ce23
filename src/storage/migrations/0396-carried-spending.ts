/**
 * What keys, schedules and monitors spent after the backup that was restored: their limits count it, though its runs are gone. Micro-USD;
 * keys have no month. A restore adds the table to a backup of an earlier version, so it may be there.
 */
export const carriedSpending = `
create table if not exists carried_spending (
  owner_id text not null, month text not null default '', spent_microusd integer not null, billed_microusd integer not null,
  primary key (owner_id, month)
) strict, without rowid;
`
