export { openWorkers } from './open-workers.ts'
export type { Team, TeamRuns } from './team.ts'
