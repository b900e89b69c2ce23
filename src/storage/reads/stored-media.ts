import { MediaFile } from '../../contract/media/media.schemas.ts'
import type { Database } from '../database.ts'
import type { MediaTable } from '../schema/media.ts'

const columns = ['digest', 'media_type', 'bytes', 'width', 'height', 'duration_ms', 'pages', 'cautions'] as const
const atOnce = 500

/** A stored file that a workspace may read, by its digest with or without `sha256:`; null for one that it does not have. */
export function findStoredMedia(db: Database, workspaceId: string, digest: string): MediaFile | null {
  const row = db.first(
    db.sql
      .selectFrom('media')
      .select(columns)
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
  return row ? toFile(row) : null
}

/** Stored files of any workspace, by their digests with `sha256:`. */
export function storedFacts(db: Database, digests: readonly string[]): Map<string, MediaFile> {
  const found = new Map<string, MediaFile>()
  for (let from = 0; from < digests.length; from += atOnce) {
    const hexes = digests.slice(from, from + atOnce).map(digest => digest.slice('sha256:'.length))
    for (const row of db.all(db.sql.selectFrom('media').select(columns).where('digest', 'in', hexes))) {
      const file = toFile(row)
      found.set(file.digest, file)
    }
  }
  return found
}

function toFile(row: Pick<MediaTable, (typeof columns)[number]>): MediaFile {
  return MediaFile.parse({ ...row, digest: `sha256:${row.digest}`, cautions: JSON.parse(row.cautions) })
}
