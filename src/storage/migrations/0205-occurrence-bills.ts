/** What providers billed for a monitor's occurrences, so that its monthly limit counts that too, and who sent each, whose pace is limited. */
export const occurrenceBills = `
alter table tune_occurrences add column billed_microusd integer not null default 0 check (billed_microusd >= 0);
alter table tune_occurrences add column sender_id text;
alter table tune_occurrences add column conflicts text;
create index tune_occurrences_sender on tune_occurrences (sender_id, no) where sender_id is not null;
`
