import type { Database } from '../../storage/database.ts'

export interface StoredRecord {
  readonly digest: string
  readonly previousDigest: string | null
  /** RFC 8785. */
  readonly document: string
}

export function findRecord(db: Database, workspaceId: string, decisionId: string): StoredRecord | null {
  const row = db.first(
    db.sql
      .selectFrom('release_records')
      .select(['digest', 'previous_digest', 'document'])
      .where('workspace_id', '=', workspaceId)
      .where('decision_id', '=', decisionId),
  )
  return row ? { digest: row.digest, previousDigest: row.previous_digest, document: row.document } : null
}

/** Digest of the workspace's latest record; null before the first. */
export function latestDigest(db: Database, workspaceId: string): string | null {
  const row = db.first(
    db.sql.selectFrom('release_records').select('digest').where('workspace_id', '=', workspaceId).orderBy('no', 'desc').limit(1),
  )
  return row?.digest ?? null
}

export function insertRecord(db: Database, workspaceId: string, decisionId: string, record: StoredRecord, createdAt: string): void {
  db.run(
    db.sql.insertInto('release_records').values({
      workspace_id: workspaceId,
      decision_id: decisionId,
      digest: record.digest,
      previous_digest: record.previousDigest,
      document: record.document,
      created_at: createdAt,
    }),
  )
}

export interface StoredKey {
  readonly publicKey: string
  readonly fingerprint: string
  readonly secret: Uint8Array
}

export function findSigningKey(db: Database, workspaceId: string): StoredKey | null {
  const row = db.first(db.sql.selectFrom('release_keys').selectAll().where('workspace_id', '=', workspaceId))
  return row ? { publicKey: row.public_key, fingerprint: row.fingerprint, secret: row.secret } : null
}

/** Keeps the first key of a workspace. */
export function insertSigningKey(db: Database, workspaceId: string, key: StoredKey, createdAt: string): void {
  db.run(
    db.sql
      .insertInto('release_keys')
      .values({
        workspace_id: workspaceId,
        public_key: key.publicKey,
        fingerprint: key.fingerprint,
        secret: key.secret,
        created_at: createdAt,
      })
      .onConflict(conflict => conflict.doNothing()),
  )
}
