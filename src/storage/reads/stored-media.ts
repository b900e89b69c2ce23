import { MediaFile } from '../../contract/index.ts'
import type { Database } from '../database.ts'

/** A stored file that a workspace may read, by its digest with or without `sha256:`; null for one that it does not have. */
export function findStoredMedia(db: Database, workspaceId: string, digest: string): MediaFile | null {
  const row = db.first(
    db.sql
      .selectFrom('media')
      .select(['digest', 'media_type', 'bytes', 'width', 'height', 'duration_ms', 'pages', 'cautions'])
      .where('digest', '=', digest.replace(/^sha256:/, ''))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('media_references')
            .select('no')
            .where('workspace_id', '=', workspaceId)
            .whereRef('media_references.digest', '=', 'media.digest'),
        ),
      ),
  )
  return row ? MediaFile.parse({ ...row, digest: `sha256:${row.digest}`, cautions: JSON.parse(row.cautions) }) : null
}
