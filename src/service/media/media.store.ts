import type { MediaFile } from '../../contract/media/media.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** What shows stored media, which are there as long as it is. */
export type MediaOwner = { readonly versionNo: number } | { readonly datasetNo: number } | { readonly sessionNo: number }

/** Who may read stored media: the workspace of an owner, or of an upload or preview until a time. */
export type MediaReference = { readonly workspaceId: string } & (MediaOwner | { readonly expiresAt: string })

/** Of files of datasets and sessions. */
const neverExpires = '9999-12-31T23:59:59.999Z'

const hexOf = (digest: string): string => digest.replace(/^sha256:/, '')

/** Makes rows of files that are stored, and refers to them. Within a transaction. */
export function recordMedia(db: Database, files: readonly MediaFile[], reference: MediaReference, createdAt: string): void {
  addMedia(db, files, createdAt)
  const owner = {
    workspace: reference.workspaceId,
    version: 'versionNo' in reference ? reference.versionNo : null,
    dataset: 'datasetNo' in reference ? reference.datasetNo : null,
    session: 'sessionNo' in reference ? reference.sessionNo : null,
    expires: 'expiresAt' in reference ? reference.expiresAt : 'versionNo' in reference ? null : neverExpires,
  }
  const refer = db.prepare(
    `insert into media_references (workspace_id, digest, version_no, dataset_no, session_no, expires_at)
     values (@workspace, @digest, @version, @dataset, @session, @expires)
     on conflict (workspace_id, digest, coalesce(version_no, 0), coalesce(dataset_no, 0), coalesce(session_no, 0))
     do update set expires_at = max(expires_at, excluded.expires_at)`,
  )
  for (const { digest } of files) refer.run({ ...owner, digest: hexOf(digest) })
}

/** Makes rows of files that are stored, for as long as a trace. Within a transaction. */
export function recordTraceMedia(db: Database, files: readonly MediaFile[], traceNo: number, createdAt: string): void {
  addMedia(db, files, createdAt)
  const refer = db.prepare('insert into trace_media (trace_no, digest) values (?, ?) on conflict do nothing')
  for (const { digest } of files) refer.run(traceNo, hexOf(digest))
}

function addMedia(db: Database, files: readonly MediaFile[], createdAt: string): void {
  const add = db.prepare(
    `insert into media (digest, media_type, bytes, width, height, duration_ms, pages, cautions, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  )
  for (const { digest, media_type, bytes, width, height, duration_ms, pages, cautions } of files)
    add.run(hexOf(digest), media_type, bytes, width, height, duration_ms, pages, JSON.stringify(cautions), createdAt)
}

export function dropExpiredReferences(db: Database, now: string): void {
  db.run(db.sql.deleteFrom('media_references').where('expires_at', '<', now))
}

export interface StoredPicture {
  /** In hexadecimal. */
  readonly digest: string
  readonly mediaType: string
  readonly width: number
  readonly height: number
}

/** A stored image of any workspace; null for any other file. */
export function storedPicture(db: Database, digest: string): StoredPicture | null {
  // Each call of a run that resizes asks for it.
  const found = db.prepare('select digest, media_type as mediaType, width, height from media where digest = ?').get(digest) as
    | (Omit<StoredPicture, 'width' | 'height'> & { readonly width: number | null; readonly height: number | null })
    | undefined // its columns
  return found && found.width !== null && found.height !== null ? { ...found, width: found.width, height: found.height } : null
}

export function findResized(db: Database, source: string, maxPixels: number): StoredPicture | null {
  const found = db.prepare('select digest from resized_media where source = ? and max_pixels = ?').get(source, maxPixels) as
    | { readonly digest: string }
    | undefined // its column
  return found ? storedPicture(db, found.digest) : null
}

/** Within a transaction. */
export function recordResized(db: Database, source: string, maxPixels: number, file: MediaFile, createdAt: string): void {
  addMedia(db, [file], createdAt)
  db.prepare(
    'insert into resized_media (source, max_pixels, digest) values (?, ?, ?) on conflict do update set digest = excluded.digest',
  ).run(source, maxPixels, hexOf(file.digest))
}

/** Removes rows that nothing refers to, at most so many. @returns their digests, whose files may go once this is committed */
export function dropUnreferenced(db: Database, most: number): string[] {
  return db
    .all(
      db.sql
        .deleteFrom('media')
        .where('digest', 'in', ({ selectFrom }) =>
          selectFrom('media as m')
            .select('m.digest')
            .where(({ not, exists, selectFrom: from }) =>
              not(exists(from('media_references').select('no').whereRef('media_references.digest', '=', 'm.digest'))),
            )
            .where(({ not, exists, selectFrom: from }) =>
              not(exists(from('trace_media').select('trace_no').whereRef('trace_media.digest', '=', 'm.digest'))),
            )
            .where(({ not, exists, selectFrom: from }) =>
              not(exists(from('resized_media').select('source').whereRef('resized_media.digest', '=', 'm.digest'))),
            )
            .limit(most),
        )
        .returning('digest'),
    )
    .map(({ digest }) => digest)
}

/** The media type of a file that any workspace has; null where none has it. */
export function storedType(db: Database, digest: string): string | null {
  const found = db.prepare('select media_type from media where digest = ?').get(digest) as { media_type: string } | undefined // its column
  return found?.media_type ?? null
}

/** Digests after one, in order. */
export function mediaAfter(db: Database, digest: string, most: number): string[] {
  return db
    .all(db.sql.selectFrom('media').select('digest').where('digest', '>', digest).orderBy('digest').limit(most))
    .map(row => row.digest)
}

export function mediaUse(db: Database): { readonly files: number; readonly bytes: number } {
  const row = db.first(
    db.sql.selectFrom('media').select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number | null>('bytes').as('bytes')]),
  )
  return { files: row?.files ?? 0, bytes: row?.bytes ?? 0 }
}

/** Bytes of a workspace's files that no version uses and nothing keeps, without one file. */
export function unusedBytes(db: Database, workspaceId: string, without: string): number {
  const row = db.first(
    db.sql
      .selectFrom('media as m')
      .select(({ fn }) => fn.sum<number | null>('m.bytes').as('bytes'))
      .where('m.digest', '!=', hexOf(without))
      .where('m.digest', 'in', ({ selectFrom }) =>
        selectFrom('media_references').select('digest').where('workspace_id', '=', workspaceId).where('version_no', 'is', null),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('media_references as r')
              .select('r.no')
              .whereRef('r.digest', '=', 'm.digest')
              .where('r.workspace_id', '=', workspaceId)
              .where(({ or, eb }) => or([eb('r.version_no', 'is not', null), eb('r.expires_at', '=', neverExpires)])),
          ),
        ),
      ),
  )
  return row?.bytes ?? 0
}
