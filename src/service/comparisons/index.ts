export { comparisonsHandlers } from './comparisons.handlers.ts'
export { createComparisons } from './comparisons.service.ts'
