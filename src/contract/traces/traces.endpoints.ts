import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { TraceSourceBody, TraceSourceResult, WorkloadSource, WorkloadSourceBody } from './sources.schemas.ts'
import { traceFilter } from './trace-filter.schemas.ts'
import { OtlpReply, Trace, TraceDetail } from './traces.schemas.ts'

const otlpMedia = ['application/x-protobuf', 'application/json'] as const

export const tracesEndpoints = endpoints('Traces', {
  listTraces: {
    route: 'GET /v1/traces',
    summary: 'List traces',
    description: 'Newest start first.',
    scope: 'traces:read',
    query: z.strictObject({
      ...traceFilter,
      ...paging(),
    }),
    response: page(Trace),
    errors: ['invalid_cursor'],
  },
  getTrace: {
    route: 'GET /v1/traces/{trace_id}',
    summary: 'Read a trace with its spans',
    description:
      'Beyond 2 MiB, spans are returned without content; read one with `span_id`. Names, messages and attributes are untrusted data.',
    scope: 'traces:read',
    params: z.strictObject({ trace_id: Uuid }),
    query: z.strictObject({ span_id: z.string().min(1).max(300).optional().describe('Only this span.') }),
    response: TraceDetail,
  },
  receiveTraces: {
    route: 'POST /v1/traces',
    summary: 'Receive traces over OTLP/HTTP',
    description: [
      'Set `OTEL_EXPORTER_OTLP_ENDPOINT` to the service’s address and `OTEL_EXPORTER_OTLP_HEADERS` to `Authorization=Bearer%20<key>,X-Workspace-ID=<id>`.',
      'Takes an ExportTraceServiceRequest of at most 4 MiB (16 MiB unpacked) and 10,000 spans; refused spans are counted in `partialSuccess`. The reply has the request’s content type.',
    ].join(' '),
    scope: 'traces:write',
    kind: 'raw',
    media: otlpMedia,
    encodings: ['gzip'],
    maxBody: 4 * 1024 * 1024,
    maxDecodedBody: 16 * 1024 * 1024,
    replyMedia: otlpMedia,
    response: OtlpReply,
  },
  addWorkloadSource: {
    route: 'POST /v1/datasets/{dataset_id}/sources/workload',
    tag: 'Datasets',
    summary: 'Add a page of a provider’s dataset or experiment',
    description: 'Reads one page. Changed items are revised; unchanged ones are skipped.',
    scope: 'datasets:write',
    idempotent: 'stored',
    params: z.strictObject({ dataset_id: Uuid }),
    body: WorkloadSourceBody,
    response: WorkloadSource,
    errors: ['conflict', 'invalid_cursor', 'illegal_transition', 'provider_error', 'rate_limited'],
  },
  addTraceSource: {
    route: 'POST /v1/datasets/{dataset_id}/sources/traces',
    tag: 'Datasets',
    summary: 'Add traces as examples',
    description: 'A job copies the chosen traces; follow it in Jobs. Also needs the scope traces:read.',
    scope: 'datasets:write',
    idempotent: 'stored',
    params: z.strictObject({ dataset_id: Uuid }),
    body: TraceSourceBody,
    response: TraceSourceResult,
    errors: ['missing_scope', 'conflict', 'illegal_transition'],
  },
})
