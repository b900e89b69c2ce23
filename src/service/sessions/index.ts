export { sessionsHandlers } from './sessions.handlers.ts'
export { createSessions, type Sessions } from './sessions.service.ts'
