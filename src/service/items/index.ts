export { itemsHandlers } from './items.handlers.ts'
export { markBenchmarkArchived } from './items.store.ts'
