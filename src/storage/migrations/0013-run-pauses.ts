/** Endpoints that do not answer, so that a start during an outage probes before it calls; and why a run waits for a person. */
export const runPauses = `
create table endpoint_outages (
  endpoint text primary key, since integer not null, code text not null, message text not null
) strict, without rowid;
alter table runs add column pause_code text;
alter table runs add column pause_message text;
alter table runs add column paused_at text;
create index runs_paused on runs (pause_code) where pause_code is not null;
`
