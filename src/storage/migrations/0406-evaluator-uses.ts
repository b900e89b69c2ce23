/** The quotes and runs that name an evaluator, so that its deletion need not read their records. */
export const evaluatorUses = `
create table evaluator_uses (
  version_id text not null references evaluator_versions on delete cascade,
  quote_id text references quotes on delete cascade, run_no integer references runs on delete cascade,
  check ((quote_id is null) <> (run_no is null))
) strict;
create index evaluator_uses_version on evaluator_uses (version_id);
create unique index evaluator_uses_quote on evaluator_uses (quote_id, version_id) where quote_id is not null;
create unique index evaluator_uses_run on evaluator_uses (run_no, version_id) where run_no is not null;
insert into evaluator_uses (version_id, quote_id)
  select v.id, q.id from evaluator_versions v join quotes q on q.workspace_id = v.workspace_id and instr(lower(q.record), v.id) > 0;
insert into evaluator_uses (version_id, run_no)
  select v.id, r.no from evaluator_versions v join runs r on r.workspace_id = v.workspace_id
    where exists (select 1 from results x where x.run_no = r.no and instr(lower(x.record), v.id) > 0)
      or exists (select 1 from regrades x where x.run_no = r.no and instr(lower(x.plan), v.id) > 0);
`
