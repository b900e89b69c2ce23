export {
  type JobContext,
  type JobEnd,
  type JobFacts,
  JobFailure,
  type JobHandler,
  type JobsKernel,
  type JsonValue,
  type NewJob,
} from './job-handler.ts'
export { jobOwner } from './job-owner.ts'
export { endMachineJobs } from './jobs.store.ts'
export { jobsHandlers } from './jobs.handlers.ts'
export { createJobs, type Jobs } from './jobs.service.ts'
