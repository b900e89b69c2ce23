/** Run groups by a calendar, and each time that has come. */
export const schedules = `
create table schedules (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, name text not null,
  status text not null check (status in ('active', 'paused', 'archived')),
  pause_reason text check (pause_reason in ('person', 'cap_reached', 'unauthorized', 'terms_changed')), pause_message text,
  cron text not null, time_zone text not null, terms text not null check (json_valid(terms)), frozen text not null check (json_valid(frozen)),
  max_monthly_microusd integer not null, next_run_at text, owner_id text not null, created_at text not null
) strict;
create index schedules_workspace on schedules (workspace_id, no desc);
create index schedules_due on schedules (next_run_at) where next_run_at is not null;

create table schedule_occurrences (
  no integer primary key, id text not null unique, schedule_no integer not null references schedules, due_at text not null,
  status text not null check (status in ('due', 'started', 'ended', 'skipped', 'failed')),
  reason text check (reason in ('cap_reached', 'unauthorized', 'terms_changed', 'still_running', 'paused', 'refused')), message text,
  run_group_id text references run_groups, month text, spent_microusd integer not null default 0, created_at text not null
) strict;
create index schedule_occurrences_schedule on schedule_occurrences (schedule_no, no desc);
create index schedule_occurrences_month on schedule_occurrences (schedule_no, month);
create index schedule_occurrences_open on schedule_occurrences (status) where status in ('due', 'started');
`
