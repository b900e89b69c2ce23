import { MediaFile, MediaType } from '../../contract/media/media.schemas.ts'
import type { Database } from '../database.ts'
import type { MediaTable } from '../schema/media.ts'

const columns = ['digest', 'media_type', 'bytes', 'width', 'height', 'duration_ms', 'pages', 'cautions'] as const
type Columns = Pick<MediaTable, (typeof columns)[number]>

/** That a workspace may read the file `m`: one of its uploads, benchmarks or traces holds it, or the image that it was made of. */
const isHeld = `(
  exists (select 1 from media_references r where r.workspace_id = @workspace and r.digest = m.digest)
  or exists (
    select 1 from resized_media z join media_references r on r.digest = z.source where r.workspace_id = @workspace and z.digest = m.digest
  )
  or exists (
    select 1 from resized_media z join trace_media t on t.digest = z.source join traces on traces.no = t.trace_no
    where z.digest = m.digest and traces.workspace_id = @workspace
  )
  or exists (select 1 from trace_media t join traces on traces.no = t.trace_no where t.digest = m.digest and traces.workspace_id = @workspace)
)`

/** A stored file that a workspace may read, by its digest with or without `sha256:`; null for one that it does not have. */
export function findStoredMedia(db: Database, workspaceId: string, digest: string): MediaFile | null {
  const found = db
    .prepare(`select ${columns.map(name => `m.${name}`).join(', ')} from media m where m.digest = @digest and ${isHeld}`)
    .get({ workspace: workspaceId, digest: digest.replace(/^sha256:/, '') })
  return found ? toFile(found as Columns) : null // its columns
}

/** The media type alone, which each call of a run with media asks for; by the digest without `sha256:`. */
export function heldType(db: Database, workspaceId: string, digest: string): MediaType | null {
  const found = db
    .prepare(`select m.media_type from media m where m.digest = @digest and ${isHeld}`)
    .get({ workspace: workspaceId, digest })
  return found ? MediaType.parse((found as Columns).media_type) : null // its column
}

/** Files that a workspace may read, by their digests with `sha256:`. */
export function storedFacts(db: Database, workspaceId: string, digests: readonly string[]): Map<string, MediaFile> {
  const files = digests.flatMap(digest => findStoredMedia(db, workspaceId, digest) ?? [])
  return new Map(files.map(file => [file.digest, file]))
}

function toFile(row: Columns): MediaFile {
  return MediaFile.parse({ ...row, digest: `sha256:${row.digest}`, cautions: JSON.parse(row.cautions) })
}
