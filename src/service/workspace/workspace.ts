import { createInstallation, installationHandlers } from '../installation/index.ts'
import type { Kernel } from '../kernel.ts'
import { createKeys, keysHandlers } from '../keys/index.ts'
import { createSessions, type Sessions, sessionsHandlers } from '../sessions/index.ts'
import { createMembers } from './members.service.ts'
import { type Demo, workspaceHandlers } from './workspace.handlers.ts'
import { createWorkspaces, type Workspaces } from './workspaces.service.ts'

/** Who may use this machine: its owner, workspaces with their members and keys, sessions, and the demo. */
export function createWorkspace(kernel: Kernel, demoOf: (workspaces: Workspaces, sessions: Sessions) => Demo) {
  /** The address that invitations and pairing codes lead to. */
  const address = () => kernel.accessPolicy().publicUrl
  const sessions = createSessions(kernel)
  const installation = createInstallation(kernel)
  const workspaces = createWorkspaces(kernel, installation)
  const members = createMembers(kernel, { sessions, installation, baseUrl: address })
  return {
    sessions,
    installation,
    handlers: {
      ...sessionsHandlers(sessions, address),
      ...workspaceHandlers(workspaces, members, sessions, demoOf(workspaces, sessions)),
      ...installationHandlers(kernel, installation, sessions, address),
      ...keysHandlers(createKeys(kernel)),
    },
  }
}
