export { retentionHandlers } from './retention.handlers.ts'
export { createRetention } from './retention.service.ts'
