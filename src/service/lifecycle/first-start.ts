import { scopes } from '../../contract/scopes.ts'
import { hashToken, newToken } from '../auth/index.ts'
import { openAccounts } from '../billing/index.ts'
import { findInstallation, insertInstallation } from '../installation/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findKeyOf, findOwnedWorkspace, insertLocalKey, insertOwnedWorkspace, insertPerson, updateLocalKey } from './first-start.store.ts'

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
    const owner = findInstallation(db)?.owner_id ?? createOwner(kernel)
    const workspaceId = findOwnedWorkspace(db, owner) ?? createWorkspaceOf(kernel, owner)
    return { workspaceId, personId: owner, localKey: renewLocalKey(kernel, workspaceId, given) }
  })
}

function createOwner({ db, ids, clock }: Kernel): string {
  const personId = ids.next()
  insertPerson(db, personId, timestamp(clock))
  insertInstallation(db, personId)
  return personId
}

/** At the first start, and where the owner has left every workspace. */
function createWorkspaceOf({ db, ids, clock }: Kernel, personId: string): string {
  const workspaceId = ids.next()
  insertOwnedWorkspace(db, { workspaceId, personId }, timestamp(clock))
  openAccounts(db, workspaceId, ids.next)
  return workspaceId
}

/** Whether the token is one that the key `local` still answers to. */
export function isLocalKey({ db }: Pick<Kernel, 'db'>, token: string): boolean {
  const holder = findKeyOf(db, hashToken(token))
  return holder !== null && holder.isLocal && !holder.isRevoked
}

function isForeign({ db }: Pick<Kernel, 'db'>, workspaceId: string, token: string): boolean {
  const holder = findKeyOf(db, hashToken(token))
  return holder !== null && (holder.workspaceId !== workspaceId || !holder.isLocal || holder.isRevoked)
}

function renewLocalKey({ db, ids, clock }: Kernel, workspaceId: string, given: string | null): string {
  const token = given === null || isForeign({ db }, workspaceId, given) ? newToken('asy_') : given
  const key = { tokenHash: hashToken(token), prefix: token.slice(0, 10), scopes }
  if (!updateLocalKey(db, workspaceId, key)) insertLocalKey(db, ids.next(), workspaceId, key, timestamp(clock))
  return token
}
