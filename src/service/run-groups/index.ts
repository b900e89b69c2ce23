export { runGroupsHandlers } from './run-groups.handlers.ts'
export { createRunGroups, type RunGroupsDependencies } from './run-groups.service.ts'
