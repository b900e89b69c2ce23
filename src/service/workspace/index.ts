export { createMembers } from './members.service.ts'
export { findMember } from './members.store.ts'
export { workspaceHandlers } from './workspace.handlers.ts'
export { createWorkspaces } from './workspaces.service.ts'
