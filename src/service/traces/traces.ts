import type { Kernel } from '../kernel.ts'
import { createTraceIntegrations, type IntegrationDependencies } from './integrations.service.ts'
import { createTraceSources, type SourceDependencies } from './sources.service.ts'
import { traceIntegrationsHandlers, tracesHandlers } from './traces.handlers.ts'

type TracesDependencies = Omit<IntegrationDependencies & SourceDependencies, 'integrations'>

/** Connections to tracing providers, the traces that are stored, and examples made of both. */
export function createTraces(kernel: Kernel, dependencies: TracesDependencies) {
  const integrations = createTraceIntegrations(kernel, dependencies)
  const sources = createTraceSources(kernel, { ...dependencies, integrations })
  return {
    handlers: { ...traceIntegrationsHandlers(integrations), ...tracesHandlers(kernel, { ...dependencies, sources }) },
    start: integrations.start,
    close: integrations.close,
  }
}
