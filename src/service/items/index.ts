export { createItems } from './items.ts'
export { markBenchmarkArchived } from './items.store.ts'
