export { createTuneMonitors } from './monitors.service.ts'
export { tuneMonitorsHandlers } from './monitors.handlers.ts'
export { createTuneSessions } from './sessions.service.ts'
export { tuneSessionsHandlers } from './sessions.handlers.ts'
