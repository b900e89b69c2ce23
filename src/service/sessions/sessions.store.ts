import type { Session } from '../../contract/workspace/workspace.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

export interface NewSession {
  readonly id: string
  readonly personId: string
  readonly tokenHash: string
  readonly kind: 'host' | 'browser'
  readonly createdAt: string
  readonly expiresAt: string
}

export function insertSession(db: Database, s: NewSession): void {
  db.run(
    db.sql.insertInto('sessions').values({
      id: s.id,
      person_id: s.personId,
      token_hash: s.tokenHash,
      kind: s.kind,
      created_at: s.createdAt,
      expires_at: s.expiresAt,
      ended_at: null,
    }),
  )
}

export function endSession(db: Database, id: string, now: string): void {
  db.run(db.sql.updateTable('sessions').set({ ended_at: now }).where('id', '=', id).where('ended_at', 'is', null))
}

/** Signs a person out everywhere. */
export function endSessionsOf(db: Database, personId: string, now: string): void {
  db.run(db.sql.updateTable('sessions').set({ ended_at: now }).where('person_id', '=', personId).where('ended_at', 'is', null))
}

const openSessions = (db: Database, personId: string, now: string) =>
  db.sql
    .selectFrom('sessions')
    .select(['id', 'kind', 'created_at', 'expires_at'])
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)

export function findOpenSession(db: Database, personId: string, id: string, now: string) {
  return db.first(openSessions(db, personId, now).where('id', '=', id.toLowerCase()))
}

/** A person's open sessions, newest first. */
export function listOpenSessions(db: Database, personId: string, currentId: string, { cursor, limit }: PageQuery, now: string) {
  const select = openSessions(db, personId, now)
  return newestFirst(
    db,
    select,
    'id',
    { endpoint: 'listSessions', filters: { personId } },
    { cursor, limit },
    (row): Session => ({ ...row, current: row.id === currentId }),
  )
}

/** Whether a token was ever one of a session here, open or ended. */
export function isSessionKnown(db: Database, tokenHash: string): boolean {
  return db.first(db.sql.selectFrom('sessions').select('id').where('token_hash', '=', tokenHash)) !== undefined
}

/** Sessions of the former process are of no use to anybody. */
export function endHostSessions(db: Database, now: string): void {
  db.run(db.sql.updateTable('sessions').set({ ended_at: now }).where('kind', '=', 'host').where('ended_at', 'is', null))
}

/** The new code replaces whatever code was open for the person. */
export function replacePairingCode(db: Database, code: { hash: string; personId: string; createdAt: string; expiresAt: string }): void {
  db.transaction(() => {
    dropPairingCodesOf(db, code.personId)
    db.run(
      db.sql
        .insertInto('pairing_codes')
        .values({ code_hash: code.hash, person_id: code.personId, created_at: code.createdAt, expires_at: code.expiresAt, used_at: null }),
    )
  })
}

/** Uses the code up; null when it is unknown, used or expired. */
export function takePairingCode(db: Database, hash: string, now: string): { readonly personId: string } | null {
  return db.transaction(() => {
    const open = db.first(
      db.sql
        .selectFrom('pairing_codes')
        .select('person_id')
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now),
    )
    if (!open) return null
    db.run(db.sql.updateTable('pairing_codes').set({ used_at: now }).where('code_hash', '=', hash))
    return { personId: open.person_id }
  })
}

export function dropPairingCodesOf(db: Database, personId: string): void {
  db.run(db.sql.deleteFrom('pairing_codes').where('person_id', '=', personId))
}
