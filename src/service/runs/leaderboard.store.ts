import { sql } from 'kysely'
import { z } from 'zod'
import { FrozenCoverage, FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { MetricResult } from '../../contract/runs/results.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** The metrics of a result as JSON, without its breakdowns and distributions. */
export function findMetrics(db: Database, runNo: number, version: number): string | null {
  const row = db.first(
    db.sql
      .selectFrom('results')
      .select(sql<string>`json_extract(record, '$.metrics')`.as('metrics'))
      .where('run_no', '=', runNo)
      .where('version', '=', version),
  )
  return row?.metrics ?? null
}

export const Score = z.object({
  metric: MetricResult,
  profile: FrozenProfile.pick({
    slug: true,
    title: true,
    version_digest: true,
    prompt_digest: true,
    tasks_selected: true,
    tasks_available: true,
    changed: true,
  }).extend({ benchmark_title: z.string().nullable() }),
  coverage: FrozenCoverage,
  model_title: z.string(),
  is_model: z.boolean(),
})

export const ScoreRow = z.object({
  run_id: z.string(),
  run_name: z.string(),
  profile_id: z.string(),
  model: z.string(),
  finished_at: z.string().nullable(),
  score: z.string().transform(text => Score.parse(JSON.parse(text))),
})
export type ScoreRow = z.infer<typeof ScoreRow>

/** A list shows no more of it, and parses it once a row. */
const PrimaryMetric = MetricResult.pick({ metric: true, title: true, estimate: true }).strip()

const PrimaryRow = z.object({
  run_no: z.int(),
  profile_id: z.string(),
  biased: z.int().transform(Boolean),
  metric: z.string().transform(text => PrimaryMetric.parse(JSON.parse(text))),
})

/** Primary metric of each profile in the latest result of each run, in the order of its profiles. */
export function primaryScores(db: Database, runNos: readonly number[]): Map<number, z.infer<typeof PrimaryRow>[]> {
  const rows = db
    .prepare(
      `select run_no, profile_id, biased, score -> '$.metric' as metric from run_scores
       where run_no in (select value from json_each(?)) order by run_no, position`,
    )
    .all(JSON.stringify(runNos))
  return Map.groupBy(
    rows.map(row => PrimaryRow.parse(row)),
    row => row.run_no,
  )
}

/** Scores that count: neither of archived runs nor of tasks that the model's own results chose. */
export const counted = `from run_scores s join runs r on r.no = s.run_no
  where s.workspace_id = ? and s.biased = 0 and s.mean is not null and s.scored > 0
    and r.archived_at is null and r.deleted_at is null and r.answers <> 'importing'`

/** Not of a benchmark that is archived, whose slug begins a profile's id. */
export const ofListed = `and not exists (select 1 from item_marks m where m.workspace_id = s.workspace_id and m.kind = 'benchmark'
    and m.id = substr(s.profile_id, 1, instr(s.profile_id, '@') - 1) and m.archived_at is not null)`
export const shown = 's.run_no, s.profile_id, s.model, s.score, r.id as run_id, r.name as run_name, r.finished_at'

/** Of each model on each profile, asked in one way, the run with the most scored tasks, of those with as many the newest; the newest run first. */
export function bestScores(db: Database, workspaceId: string, archived: boolean): ScoreRow[] {
  return db
    .prepare(
      `select * from (select ${shown}, s.position,
         row_number() over (partition by s.model, s.profile_id, s.score ->> '$.profile.prompt_digest', s.score ->> '$.profile.changed'
           order by s.scored desc, s.run_no desc) as place ${counted} ${archived ? '' : ofListed})
       where place = 1 order by run_no desc, position`,
    )
    .all(workspaceId)
    .map(row => ScoreRow.parse(row))
}

const Count = z.object({ n: z.int() })

export function countScoredRuns(db: Database, workspaceId: string, archived: boolean): number {
  return Count.parse(db.prepare(`select count(distinct s.run_no) as n ${counted} ${archived ? '' : ofListed}`).get(workspaceId)).n
}
