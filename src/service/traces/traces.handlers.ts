import { ApiError, notFound } from '../../contract/errors.ts'
import type { AccessKeyBody, KeyPairBody, ProviderSlot } from '../../contract/traces/integrations.schemas.ts'
import type { traceIntegrationsEndpoints } from '../../contract/traces/integrations.endpoints.ts'
import type { tracesEndpoints } from '../../contract/traces/traces.endpoints.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers, WorkspaceContext } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Access, TraceIntegrations } from './integrations.service.ts'
import { receiveOtlp } from './receive-otlp.ts'
import type { Media } from '../media/index.ts'
import type { createTraceSources } from './sources.service.ts'
import { type FindTraces, listTraces } from './traces.store.ts'

export function traceIntegrationsHandlers(integrations: TraceIntegrations): Handlers<typeof traceIntegrationsEndpoints> {
  const discover =
    (slot: 'provider-b' | 'provider-c') =>
    (context: WorkspaceContext, { body }: { body: AccessKeyBody & { cursor?: string | undefined } }) =>
      integrations.discover(accessKey(slot, body), body.cursor ?? null, context, context.signal)
  const connect =
    (slot: 'provider-b' | 'provider-c') =>
    (context: WorkspaceContext, { body }: { body: AccessKeyBody & { project_id: string; name?: string | undefined } }) =>
      integrations.connect(accessKey(slot, body), body.project_id, body.name ?? null, context, context.signal)
  return {
    listTraceIntegrations: ({ workspaceId }, { query }) => integrations.list(workspaceId, query),
    discoverProviderAProjects: (context, { body }) => integrations.discover(keyPair(body), body.cursor ?? null, context, context.signal),
    connectProviderA: (context, { body }) =>
      integrations.connect(keyPair(body), body.project_id ?? null, body.name ?? null, context, context.signal),
    discoverProviderBProjects: discover('provider-b'),
    connectProviderB: connect('provider-b'),
    discoverProviderCProjects: discover('provider-c'),
    connectProviderC: connect('provider-c'),
    pauseTraceIntegration: ({ workspaceId }, { params }) => integrations.pause(workspaceId, params.integration_id),
    resumeTraceIntegration: ({ workspaceId, principal }, { params }) =>
      integrations.resume(workspaceId, params.integration_id, jobOwner(principal)),
    reconnectTraceIntegration: (context, { params, body }) =>
      integrations.reconnect(context.workspaceId, params.integration_id, 'key_pair', keyPair(body), context, context.signal),
    reconnectWorkloadTraceIntegration: (context, { params, body }) =>
      integrations.reconnect(
        context.workspaceId,
        params.integration_id,
        'access_key',
        accessKey('provider-b', body),
        context,
        context.signal,
      ),
    backfillTraces: ({ workspaceId, principal }, { params, body }) =>
      integrations.backfill(workspaceId, params.integration_id, body, jobOwner(principal)),
    disconnectTraceIntegration: ({ workspaceId }, { params }) => {
      integrations.disconnect(workspaceId, params.integration_id)
      return { ok: true as const }
    },
    listTraceResources: (context, { params, query }) =>
      integrations.resources(context.workspaceId, params.integration_id, query, context, context.signal),
  }
}

function keyPair({ host, public_key, secret_key, allow_private }: KeyPairBody): Access {
  return { slot: 'provider-a', address: host, allowPrivate: allow_private, credentials: { key: public_key, secret: secret_key } }
}

function accessKey(slot: ProviderSlot, { access_key, base_url, allow_private }: AccessKeyBody): Access {
  return { slot, address: base_url ?? null, allowPrivate: allow_private, credentials: { key: access_key, secret: null } }
}

export function findTraces(workers: TraceWorkers, signal: AbortSignal): FindTraces {
  return async search => {
    const found = await workers.run({ kind: 'find', ...search }, signal)
    if (!found.ok)
      throw new ApiError('unavailable', `The search was not finished. Search for a whole word, or narrow it by time: ${found.message}`)
    return found.value
  }
}

export function tracesHandlers(
  kernel: Pick<Kernel, 'db' | 'ids' | 'clock'>,
  {
    workers,
    media,
    sources,
  }: {
    readonly workers: TraceWorkers
    readonly media: Pick<Media, 'recordOfTrace'>
    readonly sources: ReturnType<typeof createTraceSources>
  },
): Handlers<typeof tracesEndpoints> {
  return {
    listTraces: ({ workspaceId, signal }, { query }) => listTraces(kernel.db, findTraces(workers, signal), workspaceId, query),
    getTrace: async ({ workspaceId, signal }, { params, query }) => {
      const read = await workers.run({ kind: 'describe', workspaceId, traceId: params.trace_id, spanId: query.span_id ?? null }, signal)
      if (!read.ok) throw new ApiError('unavailable', read.message)
      if (read.value === null) throw notFound('trace', params.trace_id)
      return read.value
    },
    receiveTraces: ({ workspaceId }, { body }) => receiveOtlp(kernel, { workers, media }, workspaceId, body),
    addWorkloadSource: (context, { params, body }) => sources.addWorkload(params.dataset_id, body, context, context.signal),
    addTraceSource: (context, { params, body }) => {
      requireScope(context.principal, context.workspace, 'traces:read')
      return sources.addTraces(params.dataset_id, body, context, context.signal)
    },
  }
}
