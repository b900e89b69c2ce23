import { ApiError } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Database } from '../../storage/database.ts'
import { memberScopesOf, personOfSession } from '../auth/index.ts'
import { findKeyRow, type KeyRow, scopesOf, statusOf } from '../keys/index.ts'
import { findMember } from '../workspace/index.ts'

/** Whether somebody may still have work done in a workspace: a key that is active, or a person who is a member. */
export function isEntitled(db: Database, workspaceId: string, starterId: string, now: string): boolean {
  const key = findKeyRow(db, workspaceId, starterId)
  if (!key) return memberOf(db, workspaceId, starterId) !== null
  const status = statusOf(key, now)
  // What a rolled key began belongs to its replacement, which may do the same.
  return status === 'active' || (status === 'replaced' && key.replaced_by !== null && isEntitled(db, workspaceId, key.replaced_by, now))
}

/**
 * What `isEntitled` says, with the reason, and the scope. Requests are authenticated at the door; background work continues after a key was
 * revoked or a member removed, and must not.
 * @throws ApiError unauthenticated, workspace_forbidden, missing_scope
 */
export function requireEntitled(db: Database, workspaceId: string, starterId: string, scope: Scope, now: string): void {
  const key = findKeyRow(db, workspaceId, starterId)
  const scopes = key ? scopesOfActive(key, now) : scopesOfMember(db, workspaceId, starterId)
  if (scopes.includes(scope)) return
  throw new ApiError('missing_scope', `This work needs the scope ${scope}, which ${key ? `the key "${key.name}"` : 'your role'} lacks.`)
}

function scopesOfActive(key: KeyRow, now: string): readonly Scope[] {
  const status = statusOf(key, now)
  if (status === 'active') return scopesOf(key)
  throw new ApiError('unauthenticated', `The key "${key.name}" is ${status}, so nothing is started on its behalf. Use another key.`)
}

function scopesOfMember(db: Database, workspaceId: string, starterId: string): readonly Scope[] {
  const member = memberOf(db, workspaceId, starterId)
  if (member) return memberScopesOf(member.role)
  throw new ApiError(
    'workspace_forbidden',
    'Whoever began this work is no member of the workspace, or has no key in it, so nothing is started on their behalf. Start it yourself.',
  )
}

/** @param starterId of a person or of their session */
function memberOf(db: Database, workspaceId: string, starterId: string) {
  return findMember(db, workspaceId, personOfSession(db, starterId) ?? starterId)
}
