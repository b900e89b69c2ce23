export { createTuneSessions } from './sessions.service.ts'
export { tuneSessionsHandlers } from './sessions.handlers.ts'
