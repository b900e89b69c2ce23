/** Of each profile of a run, what `run_profiles` names its tasks by: see `contract/runs/same-tasks.ts`. */
const rows = (run: string, quote: string) => `
select ${run}.no, profile.key, ${run}.workspace_id, profile.value ->> 'profile_id', ${quote}.record ->> '$.model.is_model',
  (profile.value ->> 'version_digest') || case
    when ${quote}.record ->> '$.coverage.mode' <> 'exact' and profile.value ->> 'tasks_selected' = profile.value ->> 'tasks_available' then ' all'
    when ${quote}.record ->> '$.coverage.mode' = 'sample'
      then ' ' || (profile.value ->> 'tasks_selected') || ' by seed ' || (${quote}.record ->> '$.coverage.seed')
    else ' list ' || (${quote}.record ->> '$.coverage.task_digest') end`

/** Finds the runs over a profile, and over the same tasks of it, among all of a workspace. Retries are of the run that they belong to. */
export const runProfiles = `
create table run_profiles (
  run_no integer not null references runs (no),
  position integer not null,
  workspace_id text not null,
  profile_id text not null,
  is_model integer not null,
  tasks text not null,
  primary key (run_no, position)
) strict, without rowid;
create index run_profiles_alike on run_profiles (workspace_id, profile_id, is_model, run_no, tasks);

insert into run_profiles (run_no, position, workspace_id, profile_id, is_model, tasks)
${rows('run', 'quote')}
from runs run join quotes quote on quote.id = run.quote_id, json_each(quote.record, '$.profiles') profile
where run.part_of is null and run.deleted_at is null;

create trigger run_profiles_of_new after insert on runs when new.part_of is null begin
  insert into run_profiles (run_no, position, workspace_id, profile_id, is_model, tasks)
  ${rows('new', 'quote')}
  from quotes quote, json_each(quote.record, '$.profiles') profile where quote.id = new.quote_id;
end;
`
