import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Cursor, limitQuery, named, page, paging, Uuid } from '../primitives.ts'
import {
  AccessKeyBody,
  AccessKeyConnectBody,
  AccessKeyDiscoveryBody,
  BackfillBody,
  KeyPairBody,
  KeyPairConnectBody,
  KeyPairDiscoveryBody,
  ProviderProjects,
  ProviderResources,
  TraceIntegration,
} from './integrations.schemas.ts'

const params = z.strictObject({ integration_id: Uuid })
const base = '/v1/traces/integrations'
const providerErrors = ['provider_error', 'rate_limited', 'human_approval_required'] as const

const discovery = {
  summary: 'List the projects that a credential can read',
  description: 'Nothing is stored.',
  scope: 'traces:write',
  response: ProviderProjects,
  errors: providerErrors,
} as const

const connection = {
  summary: 'Connect a project of a tracing provider',
  description: 'Read-only: nothing is written at the provider and its graders are not run.',
  scope: 'traces:write',
  status: 201,
  idempotent: 'stored',
  response: TraceIntegration,
  errors: [...providerErrors, 'conflict', 'unavailable'],
} as const

const step = { scope: 'traces:write', params, response: TraceIntegration } as const

export const traceIntegrationsEndpoints = endpoints('Traces', {
  listTraceIntegrations: {
    route: `GET ${base}`,
    summary: 'List trace integrations',
    description: 'Connected observability services with the state of their synchronization.',
    scope: 'traces:read',
    query: z.strictObject(paging()),
    response: page(TraceIntegration),
    errors: ['invalid_cursor'],
  },
  discoverProviderAProjects: { ...discovery, route: `POST ${base}/provider-a/projects`, body: KeyPairDiscoveryBody },
  connectProviderA: { ...connection, route: `POST ${base}/provider-a`, body: KeyPairConnectBody },
  discoverProviderBProjects: { ...discovery, route: `POST ${base}/provider-b/projects`, body: AccessKeyDiscoveryBody },
  connectProviderB: { ...connection, route: `POST ${base}/provider-b`, body: AccessKeyConnectBody },
  discoverProviderCProjects: { ...discovery, route: `POST ${base}/provider-c/projects`, body: AccessKeyDiscoveryBody },
  connectProviderC: { ...connection, route: `POST ${base}/provider-c`, body: AccessKeyConnectBody },
  pauseTraceIntegration: {
    ...step,
    route: `POST ${base}/{integration_id}/pause`,
    summary: 'Pause an integration',
    description: 'A running backfill keeps its position.',
    errors: ['illegal_transition'],
  },
  resumeTraceIntegration: {
    ...step,
    route: `POST ${base}/{integration_id}/resume`,
    summary: 'Resume a paused integration',
    description: 'After its credential was replaced or the provider works again.',
    errors: ['illegal_transition'],
  },
  reconnectTraceIntegration: {
    ...step,
    route: `POST ${base}/{integration_id}/reconnect`,
    summary: 'Replace a key pair',
    description:
      'For provider-a, after the keys were refused or to rotate them. The new keys must read the same project. A paused integration stays paused.',
    body: KeyPairBody,
    errors: ['illegal_transition', 'conflict', 'unavailable', ...providerErrors],
  },
  reconnectWorkloadTraceIntegration: {
    ...step,
    route: `POST ${base}/{integration_id}/reconnect-workload`,
    summary: 'Replace an access key',
    description:
      'For provider-b and provider-c, after the key was refused or to rotate it. The new key must read the same project. A paused integration stays paused.',
    body: AccessKeyBody,
    errors: ['illegal_transition', 'conflict', 'unavailable', ...providerErrors],
  },
  backfillTraces: {
    ...step,
    route: `POST ${base}/{integration_id}/backfill`,
    summary: 'Backfill traces of a time window',
    description: 'Runs as a job; every page is stored with its position, so it resumes after any interruption. At most 366 days.',
    body: BackfillBody,
    errors: ['illegal_transition', 'conflict'],
  },
  disconnectTraceIntegration: {
    route: `DELETE ${base}/{integration_id}`,
    summary: 'Disconnect an integration',
    description: 'Deletes its secret. Imported traces and examples are kept.',
    scope: 'traces:write',
    params,
    response: named('Ok', { ok: z.literal(true) }),
  },
  listTraceResources: {
    route: `GET ${base}/{integration_id}/resources`,
    summary: 'List datasets or experiments of the provider',
    description: 'Read from the provider at the moment of the request.',
    scope: 'traces:read',
    params,
    query: z.strictObject({ kind: z.enum(['datasets', 'experiments']), cursor: Cursor.optional(), limit: limitQuery(50) }),
    response: ProviderResources,
    errors: ['illegal_transition', 'invalid_cursor', 'provider_error', 'rate_limited'],
  },
})
