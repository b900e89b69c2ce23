import { type PackageCheck, PackageReview } from '../../contract/creator/packages.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

export function insertReview(db: Database, packageId: string, review: PackageReview): void {
  const { check, figures, task_ids, ...rest } = review
  db.run(
    db.sql.insertInto('creator_reviews').values({
      ...rest,
      package_id: packageId,
      check_name: check,
      figures: JSON.stringify(figures),
      task_ids: JSON.stringify(task_ids),
    }),
  )
}

/**
 * Whether a check failed in the run of a job. Ids are ordered by time, so reviews of the job come after its id.
 * @param check any check where absent
 */
export function hasFailedCheck(db: Database, packageId: string, jobId: string, check?: PackageCheck): boolean {
  let failed = db.sql
    .selectFrom('creator_reviews')
    .select('id')
    .where('package_id', '=', packageId)
    .where('kind', '=', 'automated')
    .where('id', '>', jobId)
  if (check !== undefined) failed = failed.where('check_name', '=', check)
  return db.first(failed.where('outcome', '=', 'fail')) !== undefined
}

/** The tasks concerned by a check's latest outcome. */
export function concernedTasks(db: Database, packageId: string, check: PackageCheck): string[] {
  const row = db.first(
    db.sql
      .selectFrom('creator_reviews')
      .select('task_ids')
      .where('package_id', '=', packageId)
      .where('kind', '=', 'automated')
      .where('check_name', '=', check)
      .where('outcome', '<>', 'error')
      .orderBy('id', 'desc')
      .limit(1),
  )
  return PackageReview.shape.task_ids.parse(JSON.parse(row?.task_ids ?? '[]'))
}

export function listReviews(db: Database, packageId: string, { cursor, limit }: PageQuery) {
  const select = db.sql
    .selectFrom('creator_reviews')
    .select(['id', 'kind', 'check_name as check', 'outcome', 'figures', 'detail', 'task_ids', 'reviewer', 'ruleset', 'at'])
    .where('package_id', '=', packageId)
  return newestFirst(db, select, 'id', { endpoint: 'listPackageReviews', filters: { packageId } }, { cursor, limit }, row =>
    PackageReview.parse({ ...row, figures: JSON.parse(row.figures), task_ids: JSON.parse(row.task_ids) }),
  )
}
