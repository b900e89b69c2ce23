/** Which connections' keys an owner shares with which workers. The keys themselves are sealed anew for each heartbeat and stored nowhere else. */
export const workerKeys = `
alter table workers add column public_key text;
create table worker_keys (
  worker_id text not null references workers on delete cascade, connection_id text not null references connections,
  shared_by text not null, shared_at text not null, primary key (worker_id, connection_id)
) strict, without rowid;
`
