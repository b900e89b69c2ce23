import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import type { BackfillBody, ResourceKind, TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import type { ExampleMapping } from '../../contract/traces/sources.schemas.ts'
import type { TraceSource } from '../../contract/traces/traces.schemas.ts'
import type { TextMatch } from '../../lib/text-query.ts'
import { call } from '../api/client.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'
import type { FilingQuery } from '../items/use-filing.tsx'

export interface TraceFilters extends FilingQuery {
  readonly q: string
  readonly match: TextMatch
  readonly source: TraceSource | undefined
  readonly model: string
  readonly has_error: boolean | undefined
}

/** Rows of one page of the table. */
const pageSize = 100

export function useTraces(filters: TraceFilters) {
  const query = { ...filters, model: filters.model || undefined, limit: pageSize }
  return useInfiniteQuery({
    ...pagedQuery(['traces', 'list', query], (cursor, signal) => call('listTraces', { query: { ...query, cursor } }, { signal })),
    // Traces arrive while one looks. Whoever has read on is not interrupted: every page would be read again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? liveMs : false),
  })
}

/** Milliseconds between looks at the newest traces. */
const liveMs = 5_000

/** The newest traces that the filters keep, at most so many. */
export async function everyMatchingId(filters: TraceFilters, most: number): Promise<string[]> {
  const query = { ...filters, model: filters.model || undefined, limit: pageSize }
  const ids: string[] = []
  for (let cursor: string | undefined; ids.length < most; ) {
    const { items, next_cursor: next } = await call('listTraces', { query: { ...query, cursor } })
    ids.push(...items.map(({ id }) => id))
    if (next === null) break
    cursor = next
  }
  return ids.slice(0, most)
}

/** Archives or moves every trace that a filter matches, or counts them. */
export function useChangeTraces() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NonNullable<Request<Api['changeTraces']>['body']>) => call('changeTraces', { body }),
    onSuccess: (_, { dry_run: dry }) => (dry ? undefined : client.invalidateQueries()),
  })
}

export function useTrace(id: string) {
  return useQuery({
    queryKey: ['traces', 'one', id],
    queryFn: ({ signal }) => call('getTrace', { params: { trace_id: id } }, { signal }),
  })
}

/** One span with its content, for traces too large for one reply. */
export function useSpan(traceId: string, spanId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['traces', 'one', traceId, spanId],
    queryFn: async ({ signal }) =>
      (await call('getTrace', { params: { trace_id: traceId }, query: { span_id: spanId } }, { signal })).spans[0] ?? null,
    enabled: isWanted,
  })
}

/** Milliseconds between looks while a backfill runs; otherwise it is looked at now and then. */
const runningMs = 1_000
const idleMs = 30_000

export function useIntegrations() {
  return useQuery({
    queryKey: ['traces', 'integrations'],
    queryFn: ({ signal }) => everyPage(cursor => call('listTraceIntegrations', { query: { limit: 100, cursor } }, { signal })),
    refetchInterval: query => (query.state.data?.some(({ status }) => status === 'backfilling') ? runningMs : idleMs),
  })
}

export function useResources(integrationId: string, kind: ResourceKind, isWanted: boolean) {
  return useInfiniteQuery({
    ...pagedQuery(['traces', 'resources', integrationId, kind], (cursor, signal) =>
      call(
        'listTraceResources',
        { params: { integration_id: integrationId }, query: { kind: kind === 'dataset' ? 'datasets' : 'experiments', cursor } },
        { signal },
      ),
    ),
    enabled: isWanted,
  })
}

export type IntegrationStep = 'pause' | 'resume' | 'disconnect'

export function useIntegrationStep(integration: TraceIntegration) {
  const client = useQueryClient()
  const params = { integration_id: integration.id }
  return useMutation({
    mutationFn: async (step: IntegrationStep) => {
      if (step === 'pause') await call('pauseTraceIntegration', { params })
      else if (step === 'resume') await call('resumeTraceIntegration', { params })
      else await call('disconnectTraceIntegration', { params })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['traces'] }),
  })
}

export function useBackfill(integrationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BackfillBody) => call('backfillTraces', { params: { integration_id: integrationId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['traces'] }),
  })
}

/** Datasets that examples can be added to. */
export function useDatasetChoices() {
  return useQuery({
    queryKey: ['datasets', 'choices'],
    queryFn: ({ signal }) => everyPage(cursor => call('listDatasets', { query: { limit: 100, cursor } }, { signal })),
  })
}

/** Traces of one request. */
const mostAdded = 100

interface AddedTraces {
  readonly datasetId: string
  readonly created: number
  readonly duplicates: number
  readonly skipped: number
}

/** Adds traces to a dataset, which is made first where it is new, in as many requests as they take. */
export function useAddTraces() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ target, traceIds, mapping }: { target: AddTarget; traceIds: readonly string[]; mapping: ExampleMapping }) => {
      const datasetId =
        'datasetId' in target
          ? target.datasetId
          : (await call('createDataset', { body: { name: target.newName, description: '', task: 'answer' } })).id
      const added = { datasetId, created: 0, duplicates: 0, skipped: 0 }
      for (let from = 0; from < traceIds.length; from += mostAdded) {
        const trace_ids = traceIds.slice(from, from + mostAdded)
        const { created, duplicates, skipped } = await call('addTraceSource', {
          params: { dataset_id: datasetId },
          body: { trace_ids, mapping },
        })
        added.created += created
        added.duplicates += duplicates
        added.skipped += skipped.length
      }
      return added satisfies AddedTraces
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['datasets'] }),
  })
}

/** A dataset that is there, or the name of one to be made. */
export type AddTarget = { readonly datasetId: string } | { readonly newName: string }

/** What the first of the chosen traces would become. */
export function useExamplePreview(datasetId: string | null, traceIds: readonly string[], mapping: ExampleMapping) {
  return useQuery({
    queryKey: ['traces', 'preview', datasetId, traceIds, mapping],
    queryFn: ({ signal }) =>
      call(
        'addTraceSource',
        { params: { dataset_id: datasetId ?? '' }, body: { trace_ids: traceIds.slice(0, 3), mapping, dry_run: true } },
        { signal },
      ),
    enabled: datasetId !== null && traceIds.length > 0,
    retry: false,
  })
}
