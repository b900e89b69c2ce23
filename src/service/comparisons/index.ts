export { comparisonsHandlers } from './comparisons.handlers.ts'
export { type Comparisons, createComparisons } from './comparisons.service.ts'
