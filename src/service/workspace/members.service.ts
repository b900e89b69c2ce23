import { ApiError, requireFound } from '../../contract/errors.ts'
import type { Invitation, Member, OwnedWorkspaces } from '../../contract/workspace/workspace.schemas.ts'
import { requireRole } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { InstallationService } from '../installation/index.ts'
import type { Sessions } from '../sessions/index.ts'
import {
  deleteMember,
  findMember,
  insertMember,
  insertPerson,
  listMembers,
  membershipsOf,
  ownersOf,
  setRole,
  solelyOwnedBy,
  upsertOwner,
} from './members.store.ts'
import type { PageQuery } from '../../storage/keyset.ts'

type Role = Member['role']

export interface Members {
  list(workspaceId: string, query: PageQuery): { items: Member[]; next_cursor: string | null }
  invite(asker: Asker, name: string, role: Role): Invitation
  createPairingCode(asker: Asker, id: string): Invitation['pairing_code']
  setRole(asker: Asker, id: string, role: Role): Member
  /** Signs them out everywhere. @param owned what becomes of workspaces that only they own */
  remove(asker: Asker, id: string, owned: OwnedWorkspaces | undefined): void
}

interface Doors {
  readonly sessions: Sessions
  readonly installation: InstallationService
  readonly baseUrl: () => string
}

export function createMembers({ db, clock, ids }: Kernel, { sessions, installation, baseUrl }: Doors): Members {
  const read = (workspaceId: string, id: string): Member => requireFound(findMember(db, workspaceId, id), 'member', id)
  const print = (personId: string): Invitation['pairing_code'] => {
    const { code, expiresAt } = sessions.createPairingCode(personId)
    return { code, expires_at: expiresAt, address: baseUrl() }
  }
  const requireAnotherOwner = (workspaceId: string) => {
    if (ownersOf(db, workspaceId) < 2)
      throw new ApiError('conflict', 'The workspace must keep an owner. Make another member an owner first.')
  }
  /** Whoever else could take the machine's owner out of a workspace could take their machine's access to it. */
  const requireNotMachineOwner = ({ principal }: Asker, member: Member, what: string) => {
    if (installation.isOwner(member.id)) installation.requireOwner(principal, what)
  }
  /** Only the machine's owner learns of workspaces that others own and may take them over. */
  const settleOwned = ({ principal, workspace }: Asker, member: Member, owned: OwnedWorkspaces | undefined) => {
    if (owned === 'transfer') installation.requireOwner(principal, 'take over the workspaces of another person')
    if (principal.kind !== 'session' || !installation.isOwner(principal.personId)) return
    const sole = solelyOwnedBy(db, member.id, workspace.id)
    if (sole.length === 0) return
    if (owned === undefined) {
      const names = sole.map(({ name }) => `"${name}"`).join(', ')
      throw new ApiError(
        'conflict',
        `${member.name} is the only owner of ${names}. Say what becomes of that: owned_workspaces=transfer makes you an owner, owned_workspaces=keep leaves them with ${member.name}.`,
      )
    }
    if (owned === 'transfer') for (const { id } of sole) upsertOwner(db, id, principal.personId, timestamp(clock))
  }

  return {
    list: (workspaceId, query) => listMembers(db, workspaceId, query),
    invite: (asker, name, role) =>
      db.transaction(() => {
        requireRank(asker, [role], 'invite people')
        const id = ids.next()
        const now = timestamp(clock)
        insertPerson(db, id, name, now)
        insertMember(db, asker.workspace.id, id, role, now)
        return { member: read(asker.workspace.id, id), pairing_code: print(id) }
      }),
    createPairingCode: (asker, id) =>
      db.transaction(() => {
        const member = read(asker.workspace.id, id)
        requireRank(asker, [member.role], 'print pairing codes')
        // Whoever has the code signs in as that person, and so into every workspace of theirs.
        if (membershipsOf(db, member.id) > 1)
          throw new ApiError('conflict', `${member.name} belongs to other workspaces as well, so no code can be printed here.`)
        return print(member.id)
      }),
    setRole: (asker, id, role) =>
      db.transaction(() => {
        const member = read(asker.workspace.id, id)
        requireRank(asker, [member.role, role], 'change roles')
        requireNotMachineOwner(asker, member, 'change their own role')
        if (member.role === 'owner' && role !== 'owner') requireAnotherOwner(asker.workspace.id)
        setRole(db, asker.workspace.id, member.id, role)
        return read(asker.workspace.id, id)
      }),
    remove: (asker, id, owned) =>
      db.transaction(() => {
        const member = read(asker.workspace.id, id)
        requireRank(asker, [member.role], 'remove members')
        requireNotMachineOwner(asker, member, 'leave a workspace of it')
        if (member.role === 'owner') requireAnotherOwner(asker.workspace.id)
        settleOwned(asker, member, owned)
        deleteMember(db, asker.workspace.id, member.id)
        sessions.endAll(member.id)
      }),
  }
}

/** No member gives or takes a rank above their own: what concerns owners takes an owner. */
function requireRank({ principal, workspace }: Asker, touched: readonly Role[], what: string): void {
  if (touched.includes('owner')) requireRole(principal, workspace, ['owner'], `${what} where owners are concerned`)
  else requireRole(principal, workspace, ['owner', 'admin'], what)
}
