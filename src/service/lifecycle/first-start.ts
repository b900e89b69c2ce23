import { scopes } from '../../contract/index.ts'
import { hashToken, newToken } from '../auth/index.ts'
import { openAccounts } from '../billing/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findKeyOf, findOwner, insertLocalKey, insertOwner, type Owner, updateLocalKey } from './first-start.store.ts'

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
    const owner = findOwner(db) ?? createOwner(kernel)
    return { ...owner, localKey: renewLocalKey(kernel, owner.workspaceId, given) }
  })
}

function createOwner({ db, ids, clock }: Kernel): Owner {
  const owner = { workspaceId: ids.next(), personId: ids.next() }
  insertOwner(db, owner, timestamp(clock))
  openAccounts(db, owner.workspaceId, ids.next)
  return owner
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
