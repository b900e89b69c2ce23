export { runGroupsHandlers } from './run-groups.handlers.ts'
export { createRunGroups } from './run-groups.service.ts'
