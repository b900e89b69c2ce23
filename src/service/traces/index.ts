export { createTraces } from './traces.ts'
export { findIntegration } from './integrations.store.ts'
export { matchingTraceIds, missingTrace, traceIdsBetween, traceStarts } from './traces.store.ts'
export { findTraces } from './traces.handlers.ts'
