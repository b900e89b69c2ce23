import { ApiError } from '../../contract/errors.ts'
import { commonScopes, lacksScope, type Scope, scopes } from '../../contract/scopes.ts'

/** Who is asking: a signed-in person or an API key. */
export type Principal =
  | {
      readonly kind: 'session'
      readonly id: string
      readonly personId: string
      readonly name: string
      readonly expiresAt: string
      readonly workspaces: readonly WorkspaceMembership[]
    }
  | KeyPrincipal

export interface KeyPrincipal {
  readonly kind: 'api_key'
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Whether it is the key in `service.json`. */
  readonly isLocal: boolean
  readonly expiresAt: string | null
  /** To the minute. */
  readonly lastUsedAt: string | null
  readonly workspaces: readonly WorkspaceMembership[]
}

export interface WorkspaceMembership {
  readonly id: string
  readonly name: string
  /** Null for keys, which have scopes instead. */
  readonly role: 'owner' | 'admin' | 'member' | null
  readonly isDemo: boolean
}

/** What only owners and admins may do: who belongs here, which keys there are, what may be spent. */
const administration: readonly Scope[] = ['workspace:write', 'keys:write', 'billing:write', 'workers:write']
const memberScopes: readonly Scope[] = scopes.filter(scope => !administration.includes(scope))

/** What the principal may do in a workspace. */
export function scopesIn(principal: Principal, workspace: WorkspaceMembership): readonly Scope[] {
  if (principal.kind === 'api_key') return [...new Set([...principal.scopes, ...commonScopes])]
  return memberScopesOf(workspace.role)
}

export function memberScopesOf(role: WorkspaceMembership['role']): readonly Scope[] {
  return role === 'member' ? memberScopes : scopes
}

/** The workspace that the X-Workspace-ID header names, if the principal belongs to it. */
export function chooseWorkspace(principal: Principal, header: string | undefined): WorkspaceMembership {
  if (!header)
    throw new ApiError('unauthenticated', 'The X-Workspace-ID header is missing. Send the id of your workspace with every request.')
  const workspace = principal.workspaces.find(w => w.id === header.toLowerCase())
  if (!workspace)
    throw new ApiError(
      'workspace_forbidden',
      `The ${principal.kind === 'session' ? 'person of the session' : 'key'} does not belong to workspace "${header.slice(0, 60)}".`,
    )
  return workspace
}

/** Any one of the scopes is enough. */
export function requireScope(principal: Principal, workspace: WorkspaceMembership, ...anyOf: readonly Scope[]): void {
  const held = scopesIn(principal, workspace)
  if (!anyOf.some(scope => held.includes(scope))) throw new ApiError('missing_scope', lacksScope(principal, ...anyOf))
}

/** Refuses keys, and people of another role. `what` completes "may …", e.g. "remove members". */
export function requireRole(
  principal: Principal,
  workspace: WorkspaceMembership,
  roles: readonly ('owner' | 'admin' | 'member')[],
  what: string,
): void {
  if (principal.kind === 'session' && workspace.role !== null && roles.includes(workspace.role)) return
  throw new ApiError('owner_session_required', `Only a signed-in ${roles.join(' or ')} may ${what}. Sign in as one and try again.`)
}
