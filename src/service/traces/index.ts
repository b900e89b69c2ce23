export { createTraceIntegrations } from './integrations.service.ts'
export { traceIdsBetween, traceStarts } from './traces.store.ts'
export { createTraceSources } from './sources.service.ts'
export { traceIntegrationsHandlers, tracesHandlers } from './traces.handlers.ts'
