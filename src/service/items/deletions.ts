import type { DeletableKind } from '../../contract/items/items.schemas.ts'

/** A profile's id begins with its benchmark's slug and an @, which is before A. */
const ofBenchmark = (column: string) => `${column} >= @id || '@' and ${column} < @id || 'A'`
export const versionsOfBenchmark = `from benchmark_versions v join benchmarks b on b.no = v.benchmark_no where b.slug = @id and b.workspace_id = @workspace`

/** Whether a JSON text names the version `v`, in the case in which its UUID was sent. */
const names = (column: string) => `instr(lower(${column}), v.id) > 0`

const ownDataset = '(select no from datasets where id = @id and workspace_id = @workspace)'

/** Statements that name what rests on an item of a workspace, and those that delete it, each with `@id` and `@workspace`. */
export const deletions: Readonly<Record<DeletableKind, { readonly uses: string; readonly deletes: readonly string[] }>> = {
  benchmark: {
    uses: `select 'run' as kind, r.id, r.name from run_profiles p join runs r on r.no = p.run_no
        where p.workspace_id = @workspace and ${ofBenchmark('p.profile_id')}
      union select 'quote', q.id, 'open quote' from quotes q, json_each(q.record, '$.profiles') p
        where q.workspace_id = @workspace and q.expires_at > @at and ${ofBenchmark(`p.value ->> 'profile_id'`)}
      union select 'suite', s.id, s.name from suite_versions s, json_each(s.summary, '$.sources') e
        where s.workspace_id = @workspace and e.value ->> 'slug' = @id
      union select 'environment', w.id, w.title from world_versions w where w.workspace_id = @workspace and w.slug = @id
      union select 'package', p.id, p.title from creator_packages p
        where p.workspace_id = @workspace and p.benchmark_version_no in (select v.no ${versionsOfBenchmark})
      union select 'monitor', m.id, m.name from tune_monitors m where m.workspace_id = @workspace and ${ofBenchmark('m.profile_id')}
      union select 'tune_session', t.id, t.name from tune_sessions t where t.workspace_id = @workspace and t.benchmark ->> 'slug' = @id
      union select 'schedule', s.id, s.name from schedules s where s.workspace_id = @workspace and instr(s.terms, '"' || @id || '@') > 0
      union select 'issue', i.id, i.title from release_issues i join release_issue_tasks t on t.issue_id = i.id
        where i.workspace_id = @workspace and t.source_ref in (select v.source_ref ${versionsOfBenchmark})
      union select 'import', b.slug, 'an import that is running' ${versionsOfBenchmark} and v.state = 'staging'`,
    deletes: [
      `delete from dataset_benchmarks where slug = @id and workspace_id = @workspace`,
      `delete from benchmark_versions where no in (select v.no ${versionsOfBenchmark})`,
      `delete from benchmarks where slug = @id and workspace_id = @workspace`,
    ],
  },
  comparison: {
    uses: `select 'run_group' as kind, id, name from run_groups where comparison_id = @id and workspace_id = @workspace`,
    deletes: [
      `delete from comparison_runs where comparison_id = @id and exists
         (select 1 from comparisons where id = @id and workspace_id = @workspace)`,
      `delete from comparisons where id = @id and workspace_id = @workspace`,
    ],
  },
  dataset: {
    uses: `with d as (select no from datasets where id = @id and workspace_id = @workspace),
        v as (select id from dataset_versions where dataset_no in d)
      select 'calibration' as kind, id, 'calibration of ' || substr(created_at, 1, 10) as name from calibrations
        where dataset_version_id in v and workspace_id = @workspace
      union select 'evaluator_draft', id, 'draft of ' || substr(created_at, 1, 10) from evaluator_drafts
        where dataset_version_id in v and workspace_id = @workspace
      union select 'benchmark', slug, title from dataset_benchmarks where dataset_version_id in v and workspace_id = @workspace
      union select 'import', id, 'an import that is running' from dataset_imports
        where dataset_no in d and status in ('validating', 'writing', 'landing')
      union select 'scan', id, 'a scan that is running' from dataset_scans where dataset_no in d and status in ('queued', 'running')
      union select 'dataset_version', id, 'a version that is being frozen' from dataset_versions where dataset_no in d and sealed = 0`,
    // Once its examples are deleted. A benchmark that was being made of it is not stored.
    deletes: [
      `delete from dataset_benchmarks where dataset_version_id in (select id from dataset_versions where dataset_no = ${ownDataset})`,
      `delete from dataset_versions where dataset_no = ${ownDataset}`,
      `delete from dataset_facets where dataset_no = ${ownDataset}`,
      `delete from dataset_imports where dataset_no = ${ownDataset}`,
      `delete from dataset_scans where dataset_no = ${ownDataset}`,
      `delete from workload_source_items where source_id in (select id from workload_sources where dataset_id = @id and workspace_id = @workspace)`,
      `delete from workload_sources where dataset_id = @id and workspace_id = @workspace`,
      `delete from datasets where id = @id and workspace_id = @workspace`,
    ],
  },
  decision: {
    uses: `select 'release_record' as kind, r.decision_id as id, 'record of ' || d.name as name from release_records r
        join release_decisions d on d.id = r.decision_id where d.id = @id and d.workspace_id = @workspace
      union select 'release_attempt', id, 'attempt ' || attempt || ' of its plan' from release_decisions
        where id = @id and workspace_id = @workspace and attempt is not null
      union select 'evaluation', e.id, r.name from release_evaluations x join release_decisions d on d.no = x.decision_no
        join evaluations e on e.id = x.evaluation_id join runs r on r.id = e.run_id
        where d.id = @id and d.workspace_id = @workspace and x.adopted = 0
      union select 'label', id, 'label by ' || person_name from release_labels
        where target_kind = 'decision' and owner_id = @id and workspace_id = @workspace`,
    deletes: [
      `delete from release_evaluations where decision_no in (select no from release_decisions where id = @id and workspace_id = @workspace)`,
      `delete from release_decisions where id = @id and workspace_id = @workspace`,
    ],
  },
  evaluator: {
    uses: `with v as (select id from evaluator_versions where evaluator_id = @id and workspace_id = @workspace)
      select 'calibration' as kind, id, 'calibration of ' || substr(created_at, 1, 10) as name from calibrations
        where evaluator_id = @id and workspace_id = @workspace
      union select 'release_calibration', id, 'pinned calibration of ' || substr(created_at, 1, 10) from release_calibrations
        where evaluator_version_id in v and workspace_id = @workspace
      union select 'benchmark', slug, title from dataset_benchmarks where evaluator_version_id in v and workspace_id = @workspace
      union select 'benchmark', b.slug, b.title from profiles p join benchmark_versions n on n.no = p.version_no
        join benchmarks b on b.no = n.benchmark_no join v on ${names('p.definition')} where b.workspace_id = @workspace
      union select 'evaluator', o.evaluator_id, o.name from evaluator_versions o join v on ${names('o.definition')}
        where o.workspace_id = @workspace and o.evaluator_id <> @id
      union select 'run', r.id, r.name from v cross join evaluator_uses u on u.version_id = v.id cross join runs r on r.quote_id = u.quote_id
        where r.workspace_id = @workspace and r.deleted_at is null
      union select 'run', r.id, r.name from v cross join evaluator_uses u on u.version_id = v.id cross join runs r on r.no = u.run_no
        where r.workspace_id = @workspace and r.deleted_at is null
      union select 'quote', q.id, 'open quote' from v cross join evaluator_uses u on u.version_id = v.id cross join quotes q on q.id = u.quote_id
        where q.workspace_id = @workspace and q.expires_at > @at
      union select 'monitor', m.id, m.name from tune_monitors m where m.evaluator_version_id in v and m.workspace_id = @workspace
      union select 'tune_session', s.id, s.name from tune_sessions s join tune_drafts d on d.session_no = s.no
        join v on ${names('d.grader')} where s.workspace_id = @workspace
      union select 'schedule', s.id, s.name from schedules s join v on ${names('s.terms')} where s.workspace_id = @workspace
      union select 'decision', d.id, d.name from release_decisions d join v on ${names('d.plan')} where d.workspace_id = @workspace
      union select 'environment', w.id, w.title from world_versions w join v on ${names('w.definition')} where w.workspace_id = @workspace`,
    deletes: [
      `delete from regrade_quotes where evaluator_version_id in
         (select id from evaluator_versions where evaluator_id = @id and workspace_id = @workspace)`,
      `delete from evaluator_versions where evaluator_id = @id and workspace_id = @workspace`,
    ],
  },
  monitor: {
    uses: `select 'monitor_check' as kind, o.id, 'check of ' || substr(o.created_at, 1, 10) as name from tune_occurrences o
      join tune_monitors m on m.no = o.monitor_no where m.id = @id and m.workspace_id = @workspace`,
    deletes: [`delete from tune_monitors where id = @id and workspace_id = @workspace`],
  },
  session: {
    uses: `select 'monitor' as kind, id, name from tune_monitors where session_id = @id and workspace_id = @workspace
      union select 'run', r.id, r.name from tune_arms a join tune_groups g on g.no = a.group_no join tune_sessions s on s.no = g.session_no
        join runs r on r.id = a.run_id where s.id = @id and s.workspace_id = @workspace and r.deleted_at is null
      union select 'prompt_search', f.id, 'prompt search of ' || substr(f.created_at, 1, 10) from tune_searches f
        join tune_sessions s on s.no = f.session_no where s.id = @id and s.workspace_id = @workspace
      union select 'benchmark', benchmark ->> 'slug', 'benchmark of its cases' from tune_sessions
        where id = @id and workspace_id = @workspace and benchmark is not null
      union select 'race', g.id, 'a race that is running' from tune_groups g join tune_sessions s on s.no = g.session_no
        where s.id = @id and s.workspace_id = @workspace and g.status = 'running'`,
    deletes: [`delete from tune_sessions where id = @id and workspace_id = @workspace`],
  },
  suite: {
    uses: `select 'evaluation' as kind, e.id, r.name from evaluations e join runs r on r.id = e.run_id
        join suite_versions v on v.id = e.suite_version_id where v.suite_id = @id and v.workspace_id = @workspace
      union select 'release_suite', s.id, s.name from release_suites s, json_each(s.summary, '$.groups') g
        join suite_versions v on v.id = g.value ->> 'suite_version_id' and v.suite_id = @id and v.workspace_id = @workspace
        where s.workspace_id = @workspace`,
    deletes: [`delete from suite_versions where suite_id = @id and workspace_id = @workspace`],
  },
}
