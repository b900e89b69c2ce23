import { sql } from 'kysely'
import { z } from 'zod'
import { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { RunStatus } from '../../contract/runs/run.machine.ts'
import type { Database } from '../../storage/database.ts'

/** A run with a result over a profile: what decides whether its score is read beside another. */
export interface ReferenceCandidate {
  readonly no: number
  readonly id: string
  readonly status: RunStatus
  readonly resultVersion: number
  /** Of the model. */
  readonly title: string
  readonly warnings: Quote['warnings']
}

interface Wanted {
  /** Number of the run beside which the others are read. */
  readonly besideNo: number
  readonly profileId: string
  /** Models, or baselines. */
  readonly isModel: boolean
  /** Only runs over the same tasks. */
  readonly sameTasks: boolean
  /** Before the run, the newest first; after it, the oldest first. */
  readonly where: 'before' | 'after'
}

const Warnings = z.string().transform(text => Quote.shape.warnings.parse(JSON.parse(text)))

/** Of all runs of the same workspace that are not archived, one by one. */
export function* runsOverProfile(db: Database, { besideNo, profileId, isModel, sameTasks, where }: Wanted): Generator<ReferenceCandidate> {
  const own = db.first(
    db.sql.selectFrom('run_profiles').select(['workspace_id', 'tasks']).where('run_no', '=', besideNo).where('profile_id', '=', profileId),
  )
  if (!own) return
  let query = db.sql
    .selectFrom('run_profiles as over')
    .innerJoin('runs', 'runs.no', 'over.run_no')
    .innerJoin('quotes', 'quotes.id', 'runs.quote_id')
    .select(['runs.no', 'runs.id', 'runs.status', 'runs.result_version as resultVersion'])
    .select(sql<string>`quotes.record ->> '$.model.title'`.as('title'))
    .select(sql<string>`quotes.record -> '$.warnings'`.as('warnings'))
    .where('over.workspace_id', '=', own.workspace_id)
    .where('over.profile_id', '=', profileId)
    .where('over.is_model', '=', isModel ? 1 : 0)
    .where('over.run_no', where === 'before' ? '<' : '>', besideNo)
    .where('runs.answers', '!=', sql.lit<'importing'>('importing'))
    .where('runs.deleted_at', 'is', null)
    .where('runs.archived_at', 'is', null)
    .where('runs.result_version', 'is not', null)
    .orderBy('over.run_no', where === 'before' ? 'desc' : 'asc')
  if (sameTasks) query = query.where('over.tasks', '=', own.tasks)
  for (const { resultVersion, warnings, ...row } of db.iterate(query))
    if (resultVersion !== null) yield { ...row, resultVersion, warnings: Warnings.parse(warnings) }
}
