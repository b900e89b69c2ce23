import { ApiError, type Scope, scopes } from '../../contract/index.ts'

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
  | {
      readonly kind: 'api_key'
      readonly id: string
      readonly name: string
      readonly scopes: readonly Scope[]
      readonly expiresAt: string | null
      readonly workspaces: readonly WorkspaceMembership[]
    }

export interface WorkspaceMembership {
  readonly id: string
  readonly name: string
  /** Null for keys, which have scopes instead. */
  readonly role: 'owner' | 'admin' | 'member' | null
}

const memberScopes: readonly Scope[] = scopes.filter(scope => scope !== 'workspace:write')

/** What the principal may do in a workspace. */
export function scopesIn(principal: Principal, workspace: WorkspaceMembership): readonly Scope[] {
  if (principal.kind === 'api_key') return principal.scopes
  return workspace.role === 'member' ? memberScopes : scopes
}

/** The workspace that the X-Workspace-ID header names, if the principal belongs to it. */
export function chooseWorkspace(principal: Principal, header: string | undefined): WorkspaceMembership {
  if (!header) throw new ApiError('unauthenticated', 'The X-Workspace-ID header is missing. Send the id of your workspace with every request.')
  const workspace = principal.workspaces.find(w => w.id === header.toLowerCase())
  if (!workspace) throw new ApiError('workspace_forbidden', `The ${kindName(principal)} does not belong to workspace "${header.slice(0, 60)}".`)
  return workspace
}

export function demandScope(principal: Principal, workspace: WorkspaceMembership, scope: Scope): void {
  if (scopesIn(principal, workspace).includes(scope)) return
  throw new ApiError('missing_scope', `The ${kindName(principal)} "${principal.name}" lacks the scope ${scope}. Use one that has it.`)
}

function kindName(principal: Principal): string {
  return principal.kind === 'session' ? 'session of' : 'key'
}
