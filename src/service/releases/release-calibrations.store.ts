import { ReleaseCalibration } from '../../contract/releases/release-calibrations.schemas.ts'
import type { Database } from '../../storage/database.ts'

export function insertReleaseCalibration(db: Database, workspaceId: string, pinned: ReleaseCalibration): void {
  db.run(
    db.sql.insertInto('release_calibrations').values({
      id: pinned.id,
      workspace_id: workspaceId,
      evaluator_version_id: pinned.evaluator_version_id,
      calibration: JSON.stringify(pinned),
      digest: pinned.digest,
      created_at: pinned.created_at,
    }),
  )
}

export function findReleaseCalibration(db: Database, workspaceId: string, id: string): ReleaseCalibration | null {
  const row = db.first(
    db.sql
      .selectFrom('release_calibrations')
      .select('calibration')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id.toLowerCase()),
  )
  return row ? ReleaseCalibration.parse(JSON.parse(row.calibration)) : null
}
