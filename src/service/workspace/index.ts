export { createMembers } from './members.service.ts'
export { workspaceHandlers } from './workspace.handlers.ts'
export { createWorkspaces } from './workspaces.service.ts'
export { personOf } from './person-of.ts'
