/**
 * Runs at speed and scale. An attempt is written once, when it has ended: the claim of its sample says that it began. Transcripts
 * are compressed many at a time. Samples are counted by who moves them, a sum per transaction. A run can have parts that ask some of
 * its samples again; what a sample was before is kept for the result versions that knew it so.
 */
export const runs = `
alter table runs add column part_of integer references runs;
alter table runs add column part_asks text check (part_asks in ('failed', 'chosen'));
alter table runs add column merged_version integer;
alter table runs add column concurrency integer check (concurrency >= 1);
alter table runs add column running_ms integer not null default 0;
alter table runs add column cached integer not null default 0;
alter table runs add column billed_microusd integer not null default 0 check (billed_microusd >= 0);
alter table runs add column max_billed_microusd integer check (max_billed_microusd >= 0);
alter table runs add column archived_at text;
alter table runs add column deleted_at text;
alter table runs add column regraded_profiles text check (json_valid(regraded_profiles));
create index runs_parts on runs (part_of) where part_of is not null;
create index runs_deleted on runs (deleted_at) where deleted_at is not null;

create table transcript_blocks (no integer primary key, run_no integer not null references runs, content blob not null) strict;
create index transcript_blocks_run on transcript_blocks (run_no);

alter table attempts add column block_no integer;
alter table attempts add column block_offset integer;
alter table attempts add column output_preview text;
alter table attempts add column cached integer not null default 0 check (cached in (0, 1));
alter table attempts add column billed_microusd integer not null default 0;
update attempts set output_preview = (
  select s.output_preview from samples s where s.run_no = attempts.run_no and s.position = attempts.position and s.attempts = attempts.number
) where status = 'answered';

drop trigger samples_moved;
drop index samples_status;
alter table samples drop column output_preview;
alter table samples add column called_at integer;
alter table samples add column cached integer not null default 0 check (cached in (0, 1));
alter table samples add column source_no integer;
create index samples_unscored on samples (run_no, status, position) where status in ('failed', 'excluded', 'missing', 'cancelled');
create index samples_failed on samples (run_no, error_code) where status = 'failed';
update samples set called_at = (
  select a.started_at from attempts a where a.run_no = samples.run_no and a.position = samples.position and a.number = samples.attempts
) where status = 'calling';
delete from attempts where status = 'started';

create table superseded_samples (
  run_no integer not null references runs, position integer not null, last_version integer not null,
  status text not null, attempts integer not null, error_code text, error_message text, latency_ms real,
  input_tokens integer, output_tokens integer, finished_at integer, cached integer not null, source_no integer,
  primary key (run_no, position, last_version)
) strict, without rowid;

create table regrades (
  run_no integer primary key references runs, version integer not null, plan text not null check (json_valid(plan)),
  begun_at text not null
) strict;

create table cached_answers (
  key blob primary key, run_no integer not null references runs, position integer not null, number integer not null
) strict, without rowid;
create index cached_answers_run on cached_answers (run_no);
`
