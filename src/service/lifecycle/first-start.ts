import { scopes } from '../../contract/index.ts'
import { hashToken, newToken } from '../auth/index.ts'
import { openAccounts } from '../billing/index.ts'
import { findInstallation, insertInstallation } from '../installation/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'

export interface Identity {
  readonly workspaceId: string
  readonly personId: string
  /** Token of the key named `local`; new at each start, since only its hash is kept. */
  readonly localKey: string
}

/**
 * The owner and their workspace, made at the first start; the key `local` gets a fresh token at each, unless one is given that no other
 * key has: a backup may hold it as that of a key that was revoked.
 */
export function establishIdentity(kernel: Kernel, given: string | null): Identity {
  const { db } = kernel
  return db.transaction(() => {
    const installation = findInstallation(db)
    const { workspaceId, personId } = installation ? homeOf(kernel, installation.owner_id) : createOwner(kernel)
    return { workspaceId, personId, localKey: renewLocalKey(kernel, workspaceId, given) }
  })
}

/** The owner's oldest workspace; a new one where they have left all. */
function homeOf(kernel: Kernel, personId: string): { workspaceId: string; personId: string } {
  const { db } = kernel
  const owned = db.sql.selectFrom('members').select('workspace_id').where('role', '=', 'owner').where('person_id', '=', personId)
  const oldest = db.first(owned.orderBy('created_at').limit(1))
  return { workspaceId: oldest?.workspace_id ?? createWorkspaceOf(kernel, personId), personId }
}

function createOwner(kernel: Kernel): { workspaceId: string; personId: string } {
  const { db, ids, clock } = kernel
  const personId = ids.next()
  db.run(db.sql.insertInto('people').values({ id: personId, name: 'Owner', created_at: timestamp(clock) }))
  insertInstallation(db, personId)
  return { workspaceId: createWorkspaceOf(kernel, personId), personId }
}

function createWorkspaceOf({ db, ids, clock }: Kernel, personId: string): string {
  const workspaceId = ids.next()
  const now = timestamp(clock)
  db.run(db.sql.insertInto('workspaces').values({ id: workspaceId, name: 'My workspace', created_at: now }))
  db.run(db.sql.insertInto('members').values({ workspace_id: workspaceId, person_id: personId, role: 'owner', created_at: now }))
  openAccounts(db, workspaceId, ids.next)
  return workspaceId
}

/** Whether the token is one that the key `local` still answers to. */
export function isLocalKey({ db }: Pick<Kernel, 'db'>, token: string): boolean {
  const holder = db.sql.selectFrom('api_keys').select('id').where('token_hash', '=', hashToken(token))
  return db.first(holder.where('origin', '=', 'local').where('revoked_at', 'is', null)) !== undefined
}

function isForeign({ db }: Pick<Kernel, 'db'>, workspaceId: string, token: string): boolean {
  const holder = db.first(
    db.sql.selectFrom('api_keys').select(['workspace_id', 'origin', 'revoked_at']).where('token_hash', '=', hashToken(token)),
  )
  return holder !== undefined && (holder.workspace_id !== workspaceId || holder.origin !== 'local' || holder.revoked_at !== null)
}

function renewLocalKey({ db, ids, clock }: Kernel, workspaceId: string, given: string | null): string {
  const token = given === null || isForeign({ db }, workspaceId, given) ? newToken('asy_') : given
  const change = { token_hash: hashToken(token), prefix: token.slice(0, 10), scopes: JSON.stringify(scopes) }
  const known = db.run(
    db.sql
      .updateTable('api_keys')
      .set(change)
      .where('workspace_id', '=', workspaceId)
      .where('origin', '=', 'local')
      .where('revoked_at', 'is', null),
  )
  if (known.changes > 0) return token
  db.run(
    db.sql.insertInto('api_keys').values({
      ...change,
      id: ids.next(),
      workspace_id: workspaceId,
      name: 'local',
      origin: 'local',
      ceiling_microusd: 0,
      created_at: timestamp(clock),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    }),
  )
  return token
}
