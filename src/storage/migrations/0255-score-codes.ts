/** Why a score is none, in one word; calls of remote scorers state the revision of the protocol that they were made by. */
export const scoreCodes = `
alter table scores add column code text;
alter table remote_calls add column revision integer not null default 1 check (revision >= 1);
`
