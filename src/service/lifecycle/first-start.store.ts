import type { Database } from '../../storage/database.ts'

interface Owner {
  readonly workspaceId: string
  readonly personId: string
}

/** The oldest workspace that a person owns. */
export function findOwnedWorkspace(db: Database, personId: string): string | null {
  const query = db.sql
    .selectFrom('members')
    .select('workspace_id')
    .where('role', '=', 'owner')
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .limit(1)
  return db.first(query)?.workspace_id ?? null
}

export function insertPerson(db: Database, id: string, now: string): void {
  db.run(db.sql.insertInto('people').values({ id, name: 'Owner', created_at: now }))
}

export function insertOwnedWorkspace(db: Database, { workspaceId, personId }: Owner, now: string): void {
  db.run(db.sql.insertInto('workspaces').values({ id: workspaceId, name: 'My workspace', created_at: now }))
  db.run(db.sql.insertInto('members').values({ workspace_id: workspaceId, person_id: personId, role: 'owner', created_at: now }))
}

/** The key that a token belongs to, whatever became of it. */
export function findKeyOf(
  db: Database,
  tokenHash: string,
): { readonly workspaceId: string; readonly isLocal: boolean; readonly isRevoked: boolean } | null {
  const row = db.first(db.sql.selectFrom('api_keys').select(['workspace_id', 'origin', 'revoked_at']).where('token_hash', '=', tokenHash))
  return row ? { workspaceId: row.workspace_id, isLocal: row.origin === 'local', isRevoked: row.revoked_at !== null } : null
}

interface LocalKey {
  readonly tokenHash: string
  readonly prefix: string
  readonly scopes: readonly string[]
}

/** Gives the key named `local` another token and all scopes. Answers whether there is one. */
export function updateLocalKey(db: Database, workspaceId: string, { tokenHash, prefix, scopes }: LocalKey): boolean {
  const { changes } = db.run(
    db.sql
      .updateTable('api_keys')
      .set({ token_hash: tokenHash, prefix, scopes: JSON.stringify(scopes) })
      .where('workspace_id', '=', workspaceId)
      .where('origin', '=', 'local')
      .where('revoked_at', 'is', null),
  )
  return changes > 0
}

export function insertLocalKey(db: Database, id: string, workspaceId: string, { tokenHash, prefix, scopes }: LocalKey, now: string): void {
  db.run(
    db.sql.insertInto('api_keys').values({
      id,
      workspace_id: workspaceId,
      name: 'local',
      origin: 'local',
      token_hash: tokenHash,
      prefix,
      scopes: JSON.stringify(scopes),
      ceiling_microusd: 0,
      created_at: now,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    }),
  )
}
