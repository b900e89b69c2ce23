import { ApiError } from '../../contract/errors.ts'
import type { Installation } from '../../contract/installation/installation.schemas.ts'
import type { Principal } from '../auth/index.ts'
import type { Kernel } from '../kernel.ts'
import { findInstallation, setWorkspaceCreation } from './installation.store.ts'

export interface InstallationService {
  read(principal: Principal): Installation
  set(principal: Principal, creation: Installation['workspace_creation']): Installation
  isOwner(personId: string): boolean
  /**
   * What concerns every workspace of this machine takes its owner, whatever role one has in a workspace. `what` follows "can".
   * @param allowLocalKey whether the key in `service.json`, which only the owner's own programs can read, may do it too
   * @throws ApiError owner_session_required
   */
  requireOwner(principal: Principal, what: string, options?: { readonly allowLocalKey?: boolean }): void
  /** @throws ApiError owner_session_required when making workspaces is for this machine's owner alone */
  requireWorkspaceCreation(principal: Principal): void
}

export function createInstallation({
  db,
  config,
}: Pick<Kernel, 'db'> & { readonly config: Pick<Kernel['config'], 'dataDir'> }): InstallationService {
  const row = () => {
    const found = findInstallation(db)
    if (!found) throw new ApiError('internal_error', 'The installation has no owner.')
    return found
  }
  const isOwner = (principal: Principal) => principal.kind === 'session' && principal.personId === row().owner_id
  const read = (principal: Principal): Installation => {
    const { owner_id: id, owner_name: name, workspace_creation } = row()
    const mine = isOwner(principal)
    return { owner: { id, name }, is_owner: mine, workspace_creation, data_folder: mine ? config.dataDir : null }
  }
  const requireOwner: InstallationService['requireOwner'] = (principal, what, { allowLocalKey = false } = {}) => {
    if (isOwner(principal)) return
    if (allowLocalKey && principal.kind === 'api_key' && principal.isLocal) return
    throw new ApiError(
      'owner_session_required',
      `Only this machine’s owner, ${row().owner_name}, can ${what}: it concerns every workspace.`,
    )
  }
  return {
    read,
    set: (principal, creation) =>
      db.transaction(() => {
        requireOwner(principal, 'change who may make workspaces')
        setWorkspaceCreation(db, creation)
        return read(principal)
      }),
    isOwner: personId => personId === row().owner_id,
    requireOwner,
    requireWorkspaceCreation: principal => {
      if (row().workspace_creation === 'owner') requireOwner(principal, 'make workspaces')
    },
  }
}
