import { z } from 'zod'
import type { ScoreHistory } from '../../contract/runs/score-history.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { counted, ofListed, ScoreRow, shown } from './leaderboard.store.ts'

const HistoryRow = ScoreRow.extend({ run_no: z.int(), position: z.int(), finished_at: z.string() })
export type HistoryRow = z.infer<typeof HistoryRow>

/** Scores of models, or of one, on a profile, the newest run first. */
export function scoresOf(db: Database, workspaceId: string, profileId: string, model: string | undefined, limit: number): HistoryRow[] {
  return db
    .prepare(
      `select ${shown}, s.position ${counted} and r.finished_at is not null and s.profile_id = ? and (? is null or s.model = ?)
       order by s.run_no desc limit ?`,
    )
    .all(workspaceId, profileId, model ?? null, model ?? null, limit)
    .map(row => HistoryRow.parse(row))
}

const ProfileRow = z.object({ profile_id: z.string(), runs: z.int(), score: ScoreRow.shape.score })

/** Profiles that have scores, those with most runs first, by the names of their newest run. */
export function scoredProfiles(db: Database, workspaceId: string): ScoreHistory['profiles'] {
  return db
    .prepare(
      `select s.profile_id, count(*) as runs, max(s.run_no), s.score ${counted} ${ofListed} and r.finished_at is not null
       group by s.profile_id order by runs desc, s.profile_id`,
    )
    .all(workspaceId)
    .map(row => {
      const { profile_id, runs, score } = ProfileRow.parse(row)
      const { slug, title, benchmark_title } = score.profile
      return { profile_id, slug, title, runs, ...(benchmark_title === null ? {} : { benchmark_title }) }
    })
}

const Value = z.tuple([z.int(), z.number()])

/** The latest values of the primary metric of a run's scored samples on one of its profiles, with the number of the task. */
export function scoredValues(db: Database, runNo: number, position: number): z.infer<typeof Value>[] {
  return db
    .prepare(
      `select s.task_no, (select c.value from scores c where c.run_no = s.run_no and c.position = s.position and c.metric_no =
           (select m.key from runs r join quotes q on q.id = r.quote_id,
              json_each(coalesce(r.regraded_profiles, q.record -> '$.profiles'), '$[' || s.profile_no || '].metrics') m
            where r.no = s.run_no and m.value ->> '$.primary' = 1)
         order by c.version desc limit 1) as value
       from samples s where s.run_no = ? and s.profile_no = ? and s.status = 'scored' and value is not null`,
    )
    .raw()
    .all(runNo, position)
    .map(row => Value.parse(row))
}
