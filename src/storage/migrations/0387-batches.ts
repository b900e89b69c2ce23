/** Batches of runs in batch mode, and the calls in each: by them an answer is found again after a restart, and no call is made twice. */
export const batches = `
create table batches (
  token text primary key, run_no integer not null references runs, provider_id text, state text not null check (state in ('begun', 'submitted', 'ended')),
  created_at text not null, ended_at text
) strict, without rowid;
create index batches_run on batches (run_no, created_at);

create table batch_items (
  run_no integer not null references runs, item text not null, token text not null references batches,
  primary key (run_no, item)
) strict, without rowid;
create index batch_items_batch on batch_items (token);
`
