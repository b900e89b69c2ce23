import { ApiError, invalidField } from '../../contract/errors.ts'
import type {
  ExampleMapping,
  TraceSourceBody,
  TraceSourceResult,
  WorkloadSource,
  WorkloadSourceBody,
} from '../../contract/traces/sources.schemas.ts'
import { adapterOf } from '../../engine/clients/tracing/adapters.ts'
import { ProviderFault } from '../../engine/clients/tracing/provider-fault.ts'
import { type BackfillPlace, type ItemsQuery, lacksEndpoint } from '../../engine/clients/tracing/trace-adapter.ts'
import type { ExampleFields } from '../../engine/importing/traces/example-fields.ts'
import { pathProblem } from '../../engine/importing/traces/json-path.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import type { ReadItem, ReadItems } from '../../workers/trace-tasks.ts'
import { actorOf, type AddOutcome, type Datasets, type ExampleToAdd } from '../datasets/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import type { TraceIntegrations } from './integrations.service.ts'
import type { Asker } from '../http/handler.ts'
import type { ProviderSession } from './provider-session.ts'
import { openSource, sourceDigest, storeSourceItems } from './workload-sources.store.ts'

type Dialect = BackfillPlace['dialect']

export interface SourceDependencies {
  readonly integrations: TraceIntegrations
  readonly datasets: Datasets
  readonly workers: TraceWorkers
  readonly media: Pick<Media, 'find' | 'keep'>
}

/** Examples from providers' datasets and experiments, and from traces that are stored here. */
export function createTraceSources(
  kernel: Pick<Kernel, 'db' | 'ids' | 'clock'>,
  { integrations, datasets, workers, media }: SourceDependencies,
) {
  const { db, ids, clock } = kernel

  /** What examples show stays when their traces are deleted. */
  const keepFiles = (
    dataset: ReturnType<Datasets['examples']['writable']>,
    examples: readonly { readonly fields: ExampleFields }[],
  ): void => {
    const named = new Set(examples.flatMap(({ fields }) => JSON.stringify(fields).match(/sha256:[0-9a-f]{64}/g) ?? []))
    const files = [...named].flatMap(digest => media.find(dataset.workspaceId, digest) ?? [])
    if (files.length > 0) media.keep(dataset.workspaceId, { datasetNo: dataset.no }, files)
  }

  const readPage = async (
    session: ProviderSession,
    query: ItemsQuery,
    provider: ReturnType<typeof adapterOf>,
    dialect: Dialect,
    mapping: ExampleMapping,
    signal: AbortSignal,
  ): Promise<ReadItems & { dialect: Dialect }> => {
    const ask = async (spoken: Dialect) => {
      const { body } = await session.send(provider.itemsRequest(query, spoken), signal)
      const read = await workers.run({ kind: 'items', provider: provider.source, body, query, dialect: spoken, paths: mapping }, signal)
      if (!read.ok) throw new ApiError('provider_error', read.message)
      return { ...read.value, dialect: spoken }
    }
    try {
      return await ask(dialect)
    } catch (fault) {
      const isOlder = fault instanceof ProviderFault && lacksEndpoint(fault) && dialect === 'new' && query.kind === 'experiment'
      if (!isOlder) throw fault
      return ask('old')
    }
  }

  return {
    /** Reads one page of a provider's dataset or experiment into a dataset. */
    addWorkload: (datasetId: string, body: WorkloadSourceBody, asker: Asker, signal: AbortSignal): Promise<WorkloadSource> => {
      const workspaceId = asker.workspace.id
      const dataset = datasets.examples.writable(workspaceId, datasetId)
      const mapping = body.mapping ?? {}
      checkPaths(mapping)
      return integrations.withIntegration(workspaceId, body.integration_id, asker, signal, async (session, { record, provider }) => {
        const adapter = adapterOf(provider)
        const place = body.cursor === undefined ? null : readCursor(body.cursor, body)
        const about = { project: record.project, kind: body.kind, resourceId: body.resource_id }
        const version = place?.version ?? body.version ?? (await adapter.latestVersion(session.ask, about, timestamp(clock)))
        const query: ItemsQuery = { ...about, cursor: place?.cursor ?? null, limit: body.limit, version }
        const page = await readPage(session, query, adapter, place?.dialect ?? 'new', mapping, signal)
        const identity = { workspaceId, datasetId, integrationId: body.integration_id, kind: body.kind, resourceId: body.resource_id }
        const source = db.transaction(() => {
          const sourceId = openSource(db, identity, version, () => ids.next(), timestamp(clock))
          const { usable, skipped } = usableItems(page.items)
          const ref = { integration_id: body.integration_id, kind: body.kind, resource_id: body.resource_id }
          const outcomes = datasets.examples.addFromSource(
            actorOf(asker.principal),
            workspaceId,
            datasetId,
            usable.map(item => toExample(item, `${sourceId} ${item.id}`, { ...ref, item_id: item.id, version })),
          )
          const kept = outcomes.flatMap(({ exampleId }, i) => {
            const item = usable[i]
            return item && exampleId !== null ? [{ itemId: item.id, exampleId, digest: item.digest }] : []
          })
          storeSourceItems(db, sourceId, kept)
          const shown = usable.flatMap((item, i) => (outcomes[i]?.outcome === 'skipped' ? [] : item.media))
          if (shown.length > 0) media.keep(workspaceId, { datasetNo: dataset.no }, shown)
          return {
            id: sourceId,
            version,
            digest: sourceDigest(db, sourceId),
            ...countsOf(outcomes),
            skipped: [...skipped, ...refusals(outcomes, usable)],
          }
        })
        const next = page.nextCursor === null ? null : writeCursor({ version, cursor: page.nextCursor, dialect: page.dialect }, body)
        return { source, next_cursor: next }
      })
    },

    /** Adds stored traces as examples, or shows what they would become. */
    addTraces: async (datasetId: string, body: TraceSourceBody, asker: Asker, signal: AbortSignal): Promise<TraceSourceResult> => {
      const workspaceId = asker.workspace.id
      const dataset = datasets.examples.writable(workspaceId, datasetId)
      const paths = body.mapping ?? {}
      checkPaths(paths)
      const traceIds = [...new Set(body.trace_ids)]
      const read = await workers.run({ kind: 'examples', workspaceId, traceIds, paths }, signal)
      if (!read.ok) throw invalidField(['body', 'mapping'], read.message)
      const found = new Map(read.value.map(example => [example.traceId, example]))
      const skipped = traceIds
        .filter(id => !found.has(id))
        .map(id => ({ trace_id: id, reason: 'There is no such trace in this workspace.' }))
      const usable = read.value.flatMap(({ traceId, origin, fields }) => {
        const { input } = fields
        if (input !== null) return [{ traceId, origin, fields: { ...fields, input } }]
        skipped.push({ trace_id: traceId, reason: 'No input was found. Give its path in the mapping.' })
        return []
      })
      const examples = usable.map(({ traceId, fields }) => ({ trace_id: traceId, ...fields }))
      if (body.dry_run) return { created: 0, duplicates: 0, skipped, examples }
      // An example and the files that it shows are stored together.
      const outcomes = db.transaction(() => {
        const added = datasets.examples.addFromSource(
          actorOf(asker.principal),
          workspaceId,
          datasetId,
          usable.map(({ traceId, origin, fields }) => ({
            sourceKey: `trace ${traceId}`,
            content: contentOf(fields, {}),
            origin: { kind: 'trace' as const, ref: { ...origin } },
          })),
        )
        keepFiles(
          dataset,
          usable.filter((_, i) => added[i]?.outcome !== 'skipped'),
        )
        return added
      })
      for (const [i, { outcome, reason }] of outcomes.entries())
        if (outcome === 'skipped') skipped.push({ trace_id: usable[i]?.traceId ?? '', reason: reason ?? '' })
      const { created, revised } = countsOf(outcomes)
      const duplicates = outcomes.filter(({ outcome }) => outcome === 'duplicate' || outcome === 'unchanged').length
      return { created: created + revised, duplicates, skipped, examples: examples.filter((_, i) => outcomes[i]?.outcome !== 'skipped') }
    },
  }
}

type UsableItem = ReadItem & { readonly fields: ExampleFields & { readonly input: NonNullable<ExampleFields['input']> } }

function usableItems(items: readonly ReadItem[]) {
  const skipped: { provider_id: string; reason: string }[] = []
  const usable = items.flatMap((item): UsableItem[] => {
    const { input } = item.fields
    if (item.skip === null && input !== null) return [{ ...item, fields: { ...item.fields, input } }]
    skipped.push({ provider_id: item.id, reason: item.skip ?? 'The item has no input. Give its path in the mapping.' })
    return []
  })
  return { usable, skipped }
}

function toExample(item: UsableItem, sourceKey: string, ref: Record<string, unknown>): ExampleToAdd {
  return { sourceKey, content: contentOf(item.fields, item.metadata), origin: { kind: 'provider_dataset', ref } }
}

function contentOf(
  { input, output, expected }: UsableItem['fields'],
  metadata: Readonly<Record<string, unknown>>,
): ExampleToAdd['content'] {
  // The dataset checks the shape when it takes the example.
  return { input, output, expected, metadata: { ...metadata } } as ExampleToAdd['content']
}

function countsOf(outcomes: readonly AddOutcome[]) {
  const count = (wanted: AddOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  return { created: count('created'), revised: count('revised'), unchanged: count('unchanged') }
}

function refusals(outcomes: readonly AddOutcome[], items: readonly UsableItem[]) {
  return outcomes.flatMap(({ outcome, reason, exampleId }, i) => {
    const item = items[i]
    if (!item || (outcome !== 'skipped' && outcome !== 'duplicate')) return []
    const why = outcome === 'duplicate' ? `Equal to example "${exampleId ?? ''}".` : (reason ?? 'It does not fit the dataset.')
    return [{ provider_id: item.id, reason: why }]
  })
}

function checkPaths(mapping: ExampleMapping): void {
  for (const [field, path] of Object.entries(mapping)) {
    const problem = path === undefined ? null : pathProblem(path)
    if (problem !== null) throw invalidField(['body', 'mapping', field], problem, 'json_path')
  }
}

interface PageCursor {
  readonly version: string
  readonly cursor: string
  readonly dialect: Dialect
}

/** Binds a cursor to the resource that it was issued for. */
function writeCursor({ version, cursor, dialect }: PageCursor, { integration_id, kind, resource_id }: WorkloadSourceBody): string {
  return Buffer.from(JSON.stringify([integration_id, kind, resource_id, version, dialect, cursor])).toString('base64url')
}

function readCursor(text: string, { integration_id, kind, resource_id, version }: WorkloadSourceBody): PageCursor {
  const invalid = new ApiError(
    'invalid_cursor',
    'The cursor was not issued here or belongs to another resource. Start again without a cursor.',
  )
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw invalid
  }
  if (!Array.isArray(parts) || parts.length !== 6 || !parts.every(part => typeof part === 'string')) throw invalid
  const [ofIntegration, ofKind, ofResource, ofVersion = '', dialect, cursor = ''] = parts
  if (ofIntegration !== integration_id || ofKind !== kind || ofResource !== resource_id) throw invalid
  if (version !== undefined && version !== ofVersion)
    throw invalidField(['body', 'version'], 'differs from the version that the cursor reads')
  return { version: ofVersion, cursor, dialect: dialect === 'old' ? 'old' : 'new' }
}
