import { ReleaseCalibration } from '../../contract/index.ts'
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
