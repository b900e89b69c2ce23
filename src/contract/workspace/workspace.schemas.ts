import { z } from 'zod'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { PairingCode, Role } from '../sessions/sessions.schemas.ts'

export const Workspace = named('Workspace', {
  id: Uuid,
  name: Name,
  role: Role.nullable().describe('Role of the caller; null for keys.'),
  demo: z.boolean().describe('Whether it is a demo, which can be removed as a whole.'),
  created_at: Timestamp,
})
export type Workspace = z.infer<typeof Workspace>

export const StartedDemo = named('StartedDemo', { workspace: Workspace, job_id: Uuid.describe('Job of the new workspace that fills it.') })
export type StartedDemo = z.infer<typeof StartedDemo>

export const WorkspaceBody = named('WorkspaceBody', { name: Name })

export const Member = named('Member', {
  id: Uuid,
  name: Name,
  role: Role,
  status: z.enum(['invited', 'active']).describe('`invited` until the pairing code is used.'),
  created_at: Timestamp,
})
export type Member = z.infer<typeof Member>

export const InvitationBody = named('InvitationBody', { name: Name, role: Role.default('member') })

export const Invitation = named('Invitation', {
  member: Member,
  pairing_code: PairingCode.describe('Valid for one sign-in within ten minutes; shown once.'),
})
export type Invitation = z.infer<typeof Invitation>

export const MemberRoleBody = named('MemberRoleBody', { role: Role })

export const OwnedWorkspaces = z.enum(['keep', 'transfer'])
export type OwnedWorkspaces = z.infer<typeof OwnedWorkspaces>

export const RemoveMemberQuery = z.strictObject({
  owned_workspaces: OwnedWorkspaces.optional().describe(
    'What to do with other workspaces that only this person owns: `keep` leaves them, `transfer` makes this machine’s owner an owner of each. Required if the caller is this machine’s owner.',
  ),
})

export const Session = named('Session', {
  id: Uuid,
  kind: z
    .enum(['host', 'browser'])
    .describe('`host`: session of the desktop window and of tools that can read the data folder; new at each start.'),
  current: z.boolean().describe('Whether this session sent the request.'),
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type Session = z.infer<typeof Session>
