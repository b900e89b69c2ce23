export { runsHandlers } from './runs.handlers.ts'
export { createRuns, type Runs } from './runs.service.ts'
