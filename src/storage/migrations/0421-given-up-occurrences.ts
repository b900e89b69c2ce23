/** An occurrence that was tried until its next time, or for an hour, has a reason of its own. */
export const givenUpOccurrences = `
create table schedule_occurrences_next (
  no integer primary key, id text not null unique, schedule_no integer not null references schedules, due_at text not null,
  status text not null check (status in ('due', 'started', 'ended', 'skipped', 'failed')),
  reason text check (reason in ('cap_reached', 'unauthorized', 'terms_changed', 'still_running', 'paused', 'refused', 'gave_up')),
  message text, run_group_id text references run_groups, month text, spent_microusd integer not null default 0, created_at text not null
) strict;
insert into schedule_occurrences_next
  select no, id, schedule_no, due_at, status,
    case when reason = 'refused' and message like 'The run could not be started until its next time%' then 'gave_up' else reason end,
    message, run_group_id, month, spent_microusd, created_at
  from schedule_occurrences;
drop table schedule_occurrences;
alter table schedule_occurrences_next rename to schedule_occurrences;
create index schedule_occurrences_schedule on schedule_occurrences (schedule_no, no desc);
create index schedule_occurrences_month on schedule_occurrences (schedule_no, month);
create index schedule_occurrences_open on schedule_occurrences (status) where status in ('due', 'started');
`
