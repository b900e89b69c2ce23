import type { InstallationService } from '../installation/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Sessions } from '../sessions/index.ts'
import { createMembers } from './members.service.ts'
import { type Demo, workspaceHandlers } from './workspace.handlers.ts'
import { createWorkspaces, type Workspaces } from './workspaces.service.ts'

interface WorkspaceDependencies {
  readonly sessions: Sessions
  readonly installation: InstallationService
  /** The address that invitations lead to. */
  readonly address: () => string
  readonly demoOf: (workspaces: Workspaces) => Demo
}

/** Workspaces, their members and the demo. */
export function createWorkspace(kernel: Kernel, { sessions, installation, address, demoOf }: WorkspaceDependencies) {
  const workspaces = createWorkspaces(kernel, installation)
  const members = createMembers(kernel, { sessions, installation, baseUrl: address })
  return { handlers: workspaceHandlers(workspaces, members, sessions, demoOf(workspaces)) }
}
