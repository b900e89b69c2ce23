export { runChangesHandlers } from './run-changes.handlers.ts'
export { runsHandlers } from './runs.handlers.ts'
export { createRuns, type Runs } from './runs.service.ts'
