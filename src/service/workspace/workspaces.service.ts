import { requireFound } from '../../contract/errors.ts'
import type { Workspace } from '../../contract/workspace/workspace.schemas.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import type { Principal, WorkspaceMembership } from '../auth/index.ts'
import { openAccounts } from '../billing/index.ts'
import type { InstallationService } from '../installation/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { insertMember } from './members.store.ts'
import { personOf } from './person-of.ts'
import { findWorkspace, insertWorkspace, listWorkspaces, setWorkspaceName } from './workspaces.store.ts'

export interface Workspaces {
  list(principal: Principal, query: PageQuery): { items: Workspace[]; next_cursor: string | null }
  /** Whoever makes it owns it. */
  create(principal: Principal, name: string, demo?: boolean): Workspace
  rename(workspace: WorkspaceMembership, name: string): Workspace
}

export function createWorkspaces({ db, clock, ids }: Kernel, installation: InstallationService): Workspaces {
  const read = (id: string, role: Workspace['role']): Workspace => {
    const row = requireFound(findWorkspace(db, id), 'workspace', id)
    return { ...row, role }
  }
  return {
    list: (principal, query) => listWorkspaces(db, principal.id, principal.workspaces, query),
    create: (principal, name, demo = false) =>
      db.transaction(() => {
        const { personId } = personOf(principal)
        installation.requireWorkspaceCreation(principal)
        const id = ids.next()
        const now = timestamp(clock)
        insertWorkspace(db, { id, name, demo, created_at: now })
        insertMember(db, id, personId, 'owner', now)
        openAccounts(db, id, ids.next)
        return read(id, 'owner')
      }),
    rename: ({ id, role }, name) =>
      db.transaction(() => {
        setWorkspaceName(db, id, name)
        return read(id, role)
      }),
  }
}
