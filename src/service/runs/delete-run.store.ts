import type { Database } from '../../storage/database.ts'

const byPosition = (table: string) =>
  `delete from ${table} where run_no = @run and position <=
   (select max(position) from (select position from ${table} where run_no = @run order by position limit @limit))`
const byKey = (table: string, key: string) =>
  `delete from ${table} where run_no = @run and ${key} in (select ${key} from ${table} where run_no = @run limit @limit)`

/** Up to a number of a run's rows each; what others point to comes after them. */
const deletions = [
  byKey('cached_answers', 'key'),
  byPosition('scores'),
  byPosition('log_scores'),
  byPosition('attempts'),
  byPosition('superseded_samples'),
  byPosition('run_marks'),
  byPosition('run_notes'),
  byPosition('samples'),
  byKey('transcript_blocks', 'no'),
  byKey('results', 'version'),
  byKey('run_profiles', 'position'),
  byKey('run_scores', 'position'),
  byKey('run_counts', 'status'),
]

/** The evaluation that a run executes; null when none. */
export function evaluationOf(db: Database, runId: string): string | null {
  return db.first(db.sql.selectFrom('evaluations').select('id').where('run_id', '=', runId))?.id ?? null
}

/** Hides the run and its parts, in one transaction. Answers which those are. */
export function markDeleted(db: Database, runNo: number, at: string): { no: number; id: string }[] {
  return db.transaction(() => {
    const family = db.sql.updateTable('runs').set({ deleted_at: at })
    db.run(family.where(e => e.or([e('no', '=', runNo), e('part_of', '=', runNo)])))
    return db.all(
      db.sql
        .selectFrom('runs')
        .select(['no', 'id'])
        .where(e => e.or([e('no', '=', runNo), e('part_of', '=', runNo)])),
    )
  })
}

/** Runs that still have rows to take away. */
export function deletedRuns(db: Database): { no: number; id: string; workspaceId: string }[] {
  return db.all(
    db.sql
      .selectFrom('runs')
      .select(['no', 'id', 'workspace_id as workspaceId'])
      .where('deleted_at', 'is not', null)
      .where(e => e.exists(e.selectFrom('run_counts').select('run_counts.n').whereRef('run_counts.run_no', '=', 'runs.no'))),
  )
}

/**
 * Takes up to `limit` rows of a deleted run away, in one transaction. Its own row stays, without name or search text: the ledger names
 * it, and its quote and key must keep referencing the deleted run.
 * @returns false when nothing is left
 */
export function purgeRows(db: Database, runNo: number, limit: number): boolean {
  return db.transaction(() => {
    for (const deletion of deletions) if (db.prepare(deletion).run({ run: runNo, limit }).changes > 0) return true
    db.run(db.sql.updateTable('runs').set({ name: 'deleted', search: '', dictionary: null }).where('no', '=', runNo))
    return false
  })
}
