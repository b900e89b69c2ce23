export { createRegistry } from './registry.ts'
export { openTeam, type Team, type TeamRuns } from './team.ts'
export { createWorkerKeys } from './worker-keys.ts'
export { workersHandlers } from './workers.handlers.ts'
