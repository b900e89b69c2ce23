import type { Member } from '../../contract/workspace/workspace.schemas.ts'

export const roleWords: Readonly<Record<Member['role'], string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** Roles that may be given: limited to the caller's own role and below. */
export function roleOptions(isOwner: boolean): { value: Member['role']; label: string }[] {
  const roles: readonly Member['role'][] = isOwner ? ['member', 'admin', 'owner'] : ['member', 'admin']
  return roles.map(value => ({ value, label: roleWords[value] }))
}
