export { findMember } from './members.store.ts'
export { personOf } from './person-of.ts'
export { createWorkspace } from './workspace.ts'
export type { Workspaces } from './workspaces.service.ts'
