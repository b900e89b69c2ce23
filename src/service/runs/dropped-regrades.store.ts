import { z } from 'zod'
import { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Database } from '../../storage/database.ts'

const Profiles = z.array(FrozenProfile)
const Position = z.object({ position: z.int() })

/** Runs with a regrade whose scores are being removed. */
export function droppedRegrades(db: Database): number[] {
  return db.all(db.sql.selectFrom('regrades').select('run_no').where('dropped', '=', 1).orderBy('run_no')).map(row => row.run_no)
}

export function isDroppingRegrade(db: Database, runNo: number): boolean {
  return db.first(db.sql.selectFrom('regrades').select('run_no').where('run_no', '=', runNo).where('dropped', '=', 1)) !== undefined
}

export function markRegradeDropped(db: Database, runNo: number): void {
  db.run(db.sql.updateTable('regrades').set({ dropped: 1 }).where('run_no', '=', runNo))
}

/**
 * Takes the scores of a dropped regrade from up to `limit` samples after a position, which show their earlier ones again, in one
 * transaction. The last step removes the regrade.
 * @returns the last position; null when none is left
 */
export function dropSome(db: Database, runNo: number, after: number, limit: number): number | null {
  return db.transaction(() => {
    const regrade = db.first(db.sql.selectFrom('regrades').select(['version', 'plan']).where('run_no', '=', runNo).where('dropped', '=', 1))
    if (!regrade) return null
    const { version } = regrade
    // The metrics of a sample are graded together, so that those of the first one name them all.
    const positions = db
      .prepare('select position from scores where run_no = ? and position > ? and metric_no = 0 and version = ? order by position limit ?')
      .all(runNo, after, version, limit)
      .map(row => Position.parse(row).position)
    const remove = db.prepare('delete from scores where run_no = ? and position = ? and version = ?')
    const show = db.prepare(showEarlier)
    const primary = Profiles.parse(JSON.parse(regrade.plan)).map(({ metrics }) => metrics.findIndex(metric => metric.primary))
    for (const position of positions) {
      remove.run(runNo, position, version)
      for (const [profileNo, metricNo] of primary.entries()) if (metricNo >= 0) show.run({ runNo, position, profileNo, metricNo, version })
    }
    const last = positions.at(-1)
    if (last !== undefined && positions.length === limit) return last
    db.run(db.sql.deleteFrom('regrades').where('run_no', '=', runNo))
    return null
  })
}

const earlier = `(select c.value from scores c where c.run_no = samples.run_no and c.position = samples.position
  and c.metric_no = @metricNo and c.version < @version order by c.version desc limit 1)`
const showEarlier = `update samples set value = ${earlier}, passed = ${earlier} >= 1
  where run_no = @runNo and position = @position and profile_no = @profileNo`
