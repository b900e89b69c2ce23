export { createTuneSessions } from './sessions.service.ts'
export { tuneSessionsHandlers } from './sessions.handlers.ts'
export { createTuneGroups } from './groups.service.ts'
export { tuneGroupsHandlers } from './groups.handlers.ts'
