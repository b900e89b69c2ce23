import { type Scope, scopes as allScopes } from '../../contract/scopes.ts'
import type { Database } from '../../storage/database.ts'
import type { KeyPrincipal, Principal, WorkspaceMembership } from './principal.ts'
import { sameHash } from './tokens.ts'

interface SessionRow {
  readonly id: string
  readonly person_id: string
  readonly name: string
  readonly token_hash: string
  readonly expires_at: string
  readonly ended_at: string | null
}

/** Hot path of every request, so the statements are hand-written. */
export function findSession(db: Database, tokenHash: string, now: string): Principal | null {
  const row = db
    .prepare(
      `select s.id, s.person_id, p.name, s.token_hash, s.expires_at, s.ended_at
       from sessions s join people p on p.id = s.person_id where s.token_hash = ?`,
    )
    .get(tokenHash) as SessionRow | undefined // the columns asked for, of strict tables
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

/** Whose a session is or was; null where there is none. */
export function personOfSession(db: Database, sessionId: string): string | null {
  return db.first(db.sql.selectFrom('sessions').select('person_id').where('id', '=', sessionId))?.person_id ?? null
}

function membershipsOf(db: Database, personId: string): WorkspaceMembership[] {
  const rows = db
    .prepare(
      `select w.id, w.name, m.role, w.demo from members m join workspaces w on w.id = m.workspace_id where m.person_id = ? order by m.created_at`,
    )
    .all(personId) as (Omit<WorkspaceMembership, 'isDemo'> & { readonly demo: number })[] // likewise; a check keeps the role one of three
  return rows.map(({ demo, ...membership }) => ({ ...membership, isDemo: demo === 1 }))
}

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly token_hash: string
  readonly scopes: string
  readonly origin: string
  readonly expires_at: string | null
  readonly stops_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly workspace_id: string
  readonly workspace_name: string
  readonly demo: number
}

export function findKey(db: Database, tokenHash: string, now: string): KeyPrincipal | null {
  const row = db
    .prepare(
      `select k.id, k.name, token_hash, scopes, origin, expires_at, stops_at, revoked_at, last_used_at, workspace_id, w.name as workspace_name, w.demo
       from api_keys k join workspaces w on w.id = k.workspace_id where token_hash = ?`,
    )
    .get(tokenHash) as KeyRow | undefined // likewise
  if (!row || !sameHash(row.token_hash, tokenHash) || row.revoked_at !== null) return null
  // The end of a rolled key's overlap is never later than its expiry.
  const ends = row.stops_at ?? row.expires_at
  if (ends !== null && ends <= now) return null
  return {
    kind: 'api_key',
    id: row.id,
    name: row.name,
    scopes: readScopes(row.scopes),
    isLocal: row.origin === 'local',
    expiresAt: ends,
    lastUsedAt: row.last_used_at,
    workspaces: [{ id: row.workspace_id, name: row.workspace_name, role: null, isDemo: row.demo === 1 }],
  }
}

/** Of the session in `service.json`, of which there is one at a time. */
export function findHostSessionHash(db: Database): string | null {
  const row = db.first(db.sql.selectFrom('sessions').select('token_hash').where('kind', '=', 'host').where('ended_at', 'is', null))
  return row?.token_hash ?? null
}

/** Of a key that begins so and has not been revoked. */
export function findKeyHash(db: Database, prefix: string): string | null {
  const row = db.first(
    db.sql
      .selectFrom('api_keys')
      .select('token_hash')
      .where('prefix', '=', prefix)
      .where('revoked_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(1),
  )
  return row?.token_hash ?? null
}

/** Uses are noted to the minute: a write per request would cost more than the request. */
export function isUseNoted({ lastUsedAt }: Pick<KeyPrincipal, 'lastUsedAt'>, now: string): boolean {
  return lastUsedAt !== null && lastUsedAt.slice(0, 16) === now.slice(0, 16)
}

export function noteUse(db: Database, id: string, now: string): void {
  db.run(db.sql.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id))
}

/** Scopes that this version knows; a key made by another version keeps the others unread. */
function readScopes(json: string): Scope[] {
  const listed: unknown = JSON.parse(json)
  return Array.isArray(listed) ? allScopes.filter(scope => listed.includes(scope)) : []
}
