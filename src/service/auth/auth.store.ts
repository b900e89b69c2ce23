import { scopes as allScopes, type Scope } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'
import type { KeyPrincipal, Principal, WorkspaceMembership } from './principal.ts'
import { sameHash } from './tokens.ts'

export function findSession(db: Database, tokenHash: string, now: string): Principal | null {
  const row = db.first(
    db.sql
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .select(['sessions.id', 'sessions.person_id', 'people.name', 'sessions.token_hash', 'sessions.expires_at', 'sessions.ended_at'])
      .where('sessions.token_hash', '=', tokenHash),
  )
  if (!row || !sameHash(row.token_hash, tokenHash) || row.ended_at !== null || row.expires_at <= now) return null
  return {
    kind: 'session',
    id: row.id,
    personId: row.person_id,
    name: row.name,
    expiresAt: row.expires_at,
    workspaces: membershipsOf(db, row.person_id),
  }
}

function membershipsOf(db: Database, personId: string): WorkspaceMembership[] {
  return db.all(
    db.sql
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select(['workspaces.id', 'workspaces.name', 'members.role'])
      .where('members.person_id', '=', personId)
      .orderBy('members.created_at'),
  )
}

export function findKey(db: Database, tokenHash: string, now: string): KeyPrincipal | null {
  const row = db.first(
    db.sql
      .selectFrom('api_keys')
      .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
      .select([
        'api_keys.id',
        'api_keys.name',
        'token_hash',
        'scopes',
        'expires_at',
        'stops_at',
        'revoked_at',
        'last_used_at',
        'workspace_id',
        'workspaces.name as workspace_name',
      ])
      .where('token_hash', '=', tokenHash),
  )
  if (!row || !sameHash(row.token_hash, tokenHash) || row.revoked_at !== null) return null
  // The end of a rolled key's overlap is never later than its expiry.
  const ends = row.stops_at ?? row.expires_at
  if (ends !== null && ends <= now) return null
  return {
    kind: 'api_key',
    id: row.id,
    name: row.name,
    scopes: readScopes(row.scopes),
    expiresAt: ends,
    lastUsedAt: row.last_used_at,
    workspaces: [{ id: row.workspace_id, name: row.workspace_name, role: null }],
  }
}

/** To the minute: a write per request would cost more than the request. */
export function noteUse(db: Database, id: string, last: string | null, now: string): void {
  if (last !== null && last.slice(0, 16) === now.slice(0, 16)) return
  db.run(db.sql.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id))
}

/** Scopes that this version knows; a key made by another version keeps the others unread. */
function readScopes(json: string): Scope[] {
  const listed: unknown = JSON.parse(json)
  return Array.isArray(listed) ? allScopes.filter(scope => listed.includes(scope)) : []
}
