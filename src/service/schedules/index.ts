export { createSchedules } from './schedules.ts'
