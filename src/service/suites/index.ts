export { resolveSelections, type SelectedTasks } from './resolve-selections.ts'
export { suitesHandlers } from './suites.handlers.ts'
export { createSuites, type Suites } from './suites.service.ts'
export { packSelections, unpackSelections } from './suites.store.ts'
