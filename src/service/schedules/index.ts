export { schedulesHandlers } from './schedules.handlers.ts'
export { createSchedules } from './schedules.service.ts'
