/** Issues that releases are judged by, and their events. */
export const releaseIssues = `
create table release_issues (
  id text primary key, workspace_id text not null references workspaces, title text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  status text not null check (status in ('open', 'reproduced', 'fixed', 'regressed', 'closed')),
  trace_id text, url text, reason text check (reason in ('verified', 'wont_fix', 'duplicate', 'invalid')),
  last_result text check (last_result in ('pass', 'fail')), created_at text not null, updated_at text not null
) strict;
create index release_issues_workspace on release_issues (workspace_id, id);

create table release_issue_tasks (
  no integer primary key, issue_id text not null references release_issues, source_ref text not null, task_id text not null,
  unique (issue_id, source_ref, task_id)
) strict;

create table release_issue_events (
  id text primary key, issue_id text not null references release_issues, workspace_id text not null references workspaces,
  event text not null check (json_valid(event)), created_at text not null
) strict;
create index release_issue_events_issue on release_issue_events (issue_id, id);
create index release_issue_events_workspace on release_issue_events (workspace_id, id);
create trigger release_issue_events_fixed before update on release_issue_events begin select raise(abort, 'issue events are immutable'); end;
create trigger release_issue_events_kept before delete on release_issue_events begin select raise(abort, 'issue events are immutable'); end;
`
