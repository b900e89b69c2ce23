/** A quote's model as `lib/model-identity.ts` names it. */
const identity = `case when record ->> '$.model.model' = 'agent' and record ->> '$.model.origin' is not null
  then 'agent at ' || (record ->> '$.model.origin') else record ->> '$.model.model' end`

/** Of each profile of a run, the primary metric of a result and what it is a score of; `result` has run_no and record. */
const rows = (result: string) => `
select run.no, profile.key, run.workspace_id, profile.value ->> 'profile_id', quote.model,
  (profile.value ->> 'tasks_selected') - (metric.value ->> '$.unscored') * 1.0 / (quote.record ->> '$.coverage.epochs'),
  metric.value ->> '$.estimate.mean',
  exists (select 1 from json_each(quote.record, '$.warnings') warning
    where warning.value ->> 'code' = 'selected_on_own_results' and warning.value ->> 'profile_id' = profile.value ->> 'profile_id'),
  json_object('metric', json(metric.value), 'profile', json_object('slug', profile.value ->> 'slug', 'title', profile.value ->> 'title',
    'benchmark_title', profile.value ->> 'benchmark_title', 'version_digest', profile.value ->> 'version_digest',
    'prompt_digest', profile.value ->> 'prompt_digest', 'tasks_selected', profile.value ->> 'tasks_selected',
    'tasks_available', profile.value ->> 'tasks_available'), 'coverage', json(quote.record -> '$.coverage'),
    'model_title', quote.record ->> '$.model.title', 'is_model', json(quote.record -> '$.model.is_model'))
from ${result} join runs run on run.no = result.run_no join quotes quote on quote.id = run.quote_id,
  json_each(quote.record, '$.profiles') profile, json_each(result.record, '$.metrics') metric
where run.part_of is null and run.deleted_at is null and metric.value ->> '$.primary' = 1
  and metric.value ->> '$.profile_id' = profile.value ->> 'profile_id'`

const columns = '(run_no, position, workspace_id, profile_id, model, scored, mean, biased, score)'

/** The score of each run on each of its profiles, of its latest result, written when that is stored: the leaderboard and lists read it. */
export const runScores = `
alter table quotes add column model text generated always as (${identity}) virtual;
create index quotes_model on quotes (workspace_id, model);

create table run_scores (
  run_no integer not null references runs (no),
  position integer not null,
  workspace_id text not null,
  profile_id text not null,
  model text not null,
  scored real not null,
  mean real,
  biased integer not null,
  score text not null,
  primary key (run_no, position)
) strict, without rowid;
create index run_scores_best on run_scores (workspace_id, profile_id, model, scored, run_no);

insert into run_scores ${columns}
${rows('results result')} and result.version = run.result_version;

create trigger run_scores_of_result after insert on results begin
  insert or replace into run_scores ${columns}
  ${rows('(select new.run_no as run_no, new.record as record) result')};
end;
`
