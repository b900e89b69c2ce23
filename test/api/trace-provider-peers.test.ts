import { randomUUID } from 'node:crypto'
import Braintrust from '@braintrust/api'
import { LangfuseClient } from '@langfuse/client'
import { Client as LangsmithV1Client, Langsmith } from 'langsmith'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { braintrustIds, braintrustKey } from '../support/trace-providers/braintrust-server.ts'
import { backfill, connect, resourcesOf, startProvider, type TestedProvider } from '../support/trace-providers/connected.ts'
import { langfuseKeys } from '../support/trace-providers/langfuse-server.ts'
import { langsmithIds, langsmithKey } from '../support/trace-providers/langsmith-server.ts'
import { checkReplies } from '../support/trace-providers/peers.ts'
import { fakeTraces, iso, type ScriptedServer } from '../support/trace-providers/scripted-server.ts'

/**
 * The scripted providers are only worth something if they are like the real ones: every reply that Assay reads is valid by the provider's own
 * OpenAPI document, and the provider's own client reads the same things from them.
 */
const begin = Date.parse('2026-11-10T00:00:00Z')
const items = Array.from({ length: 7 }, (_, i) => ({
  id: randomUUID(),
  question: `Question ${i}?`,
  answer: `Answer ${i}`,
  output: `Output ${i}`,
}))
let service: TestService
let server: ScriptedServer

beforeAll(async () => {
  service = await startTestService()
})
afterEach(() => server.close())
afterAll(() => service.close())

async function readEverything(provider: TestedProvider): Promise<void> {
  const { id } = await connect(service.client, provider, server.url)
  expect((await backfill(service.client, id, { from: iso(begin), to: iso(begin + 3_600_000) })).backfill).toMatchObject({
    traces: 12,
    spans: 36,
  })
  const dataset = await service.client.call('createDataset', { body: { name: provider, task: 'answer' } })
  for (const kind of ['datasets', 'experiments'] as const) {
    const { items: resources } = await service.client.call('listTraceResources', { params: { integration_id: id }, query: { kind } })
    const resource_id = resources[0]?.id ?? ''
    expect(resource_id).toBe(resourcesOf[provider][kind === 'datasets' ? 'dataset' : 'experiment'])
    const read = await service.client.call('addWorkloadSource', {
      params: { dataset_id: dataset.id },
      body: { integration_id: id, kind: kind === 'datasets' ? 'dataset' : 'experiment', resource_id },
    })
    expect(read.source.created).toBe(7)
  }
}

describe('Langfuse', () => {
  const schemas: Readonly<Record<string, string>> = {
    '/api/public/projects': 'Projects',
    '/api/public/v2/datasets': 'PaginatedDatasets',
    '/api/public/dataset-items': 'PaginatedDatasetItems',
    '/api/public/experiments': 'ExperimentsResponse',
    '/api/public/experiment-items': 'ExperimentItemsResponse',
    '/api/public/v2/observations': 'ObservationsV2Response',
    '/api/public/v3/scores': 'GetScoresV3Response',
  }

  test('replies keep its OpenAPI document (skipped where ../shared/openapi is absent)', async context => {
    server = await startProvider('langfuse', fakeTraces(12, begin), items)
    const checked = checkReplies(server, 'langfuse.openapi.yml', (path, value) => (schemas[path] ? [{ schema: schemas[path], value }] : []))
    if (!checked) return context.skip('../shared/openapi is absent')
    await readEverything('langfuse')
    expect(checked.faults).toEqual([])
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(Object.keys(schemas)))
    expect(checked.checked).toBeGreaterThanOrEqual(7)
  })

  test('its own client reads the same observations, items and experiments', async () => {
    server = await startProvider('langfuse', fakeTraces(12, begin), items)
    const { api } = new LangfuseClient({ baseUrl: server.url, publicKey: langfuseKeys.public_key, secretKey: langfuseKeys.secret_key })
    const window = { fromStartTime: iso(begin), toStartTime: iso(begin + 3_600_000), limit: 20 }
    const first = await api.observations.getMany(window)
    const rest = await api.observations.getMany({ ...window, cursor: first.meta.cursor ?? '' })
    expect([...first.data, ...rest.data].map(({ id }) => id).length).toBe(36)
    expect((await api.datasets.list()).data.map(({ name }) => name)).toEqual(['GSM8K'])
    expect((await api.datasetItems.list({ datasetName: 'GSM8K', version: iso(begin) })).data.map(({ id }) => id)).toEqual(
      items.map(({ id }) => id),
    )
    expect((await api.experiments.list({ fromStartTime: iso(0) })).data[0]).toMatchObject({ name: 'gpt-6 run', itemCount: 7 })
  })
})

describe('LangSmith', () => {
  test('its own clients read the same projects, traces, spans and examples', async () => {
    server = await startProvider('langsmith', fakeTraces(12, begin), items)
    await readEverything('langsmith')
    const v2 = new Langsmith({ apiKey: langsmithKey, baseURL: server.url })
    const sessions: string[] = []
    for await (const session of v2.sessions.listV2({ type: ['PROJECT', 'AGENT'], page_size: 10 })) sessions.push(String(session.id))
    expect(sessions).toEqual([langsmithIds.project])
    const window = { min_start_time: iso(begin), max_start_time: iso(begin + 3_600_000) }
    const traces: string[] = []
    for await (const { root_run } of v2.traces.query({
      project_id: langsmithIds.project,
      ...window,
      selects: ['ID', 'NAME'],
      page_size: 5,
    }))
      traces.push(String(root_run?.id))
    expect(traces).toEqual(fakeTraces(12, begin).map(({ id }) => id))
    const { items: runs } = await v2.traces.listRuns(traces[0] ?? '', { project_id: langsmithIds.project, ...window, selects: ['ID'] })
    expect(runs).toHaveLength(3)
    const v1 = new LangsmithV1Client({ apiUrl: `${server.url}/api/v1`, apiKey: langsmithKey, autoBatchTracing: false })
    const found: string[] = []
    for await (const example of v1.listExamples({ datasetId: langsmithIds.dataset, asOf: iso(begin) })) found.push(example.id)
    expect(found).toEqual(items.map(({ id }) => id))
  })

  test('an installation without v2 is read over v1, and its deprecation is shown', async () => {
    const { langsmithServer } = await import('../support/trace-providers/langsmith-server.ts')
    server = await langsmithServer({ traces: fakeTraces(45, begin), items, isOld: true })
    const { id } = await connect(service.client, 'langsmith', server.url)
    const done = await backfill(service.client, id, { from: iso(begin), to: iso(begin + 3_600_000) })
    expect(done).toMatchObject({
      backfill: { traces: 45, spans: 135, pages: 2 },
      deprecation: { sunset_at: '2027-01-31T00:00:00.000Z' },
    })
    const dataset = await service.client.call('createDataset', { body: { name: 'old', task: 'answer' } })
    const source = (kind: 'dataset' | 'experiment') =>
      service.client.call('addWorkloadSource', {
        params: { dataset_id: dataset.id },
        body: { integration_id: id, kind, resource_id: resourcesOf.langsmith[kind] },
      })
    expect((await source('dataset')).source.created).toBe(7)
    expect((await source('experiment')).source.created).toBe(7)
  })
})

describe('Braintrust', () => {
  test('replies keep its OpenAPI document (skipped where ../shared/openapi is absent)', async context => {
    server = await startProvider('braintrust', fakeTraces(12, begin), items)
    const lists: Readonly<Record<string, string>> = { '/v1/project': 'Project', '/v1/dataset': 'Dataset', '/v1/experiment': 'Experiment' }
    const sources: Readonly<Record<string, string>> = {
      project_logs: 'ProjectLogsEvent',
      dataset: 'DatasetEvent',
      experiment: 'ExperimentEvent',
    }
    const checked = checkReplies(server, 'braintrust.openapi.json', (path, body, query) => {
      const each = (schema: string | undefined, values: unknown) =>
        schema !== undefined && Array.isArray(values) ? values.map((value: unknown) => ({ schema, value })) : []
      if (path.startsWith('/v1/project/')) return [{ schema: 'Project', value: body }]
      // BTQL is not in the document; its rows are the events of the fetch operations.
      const source = /^select: \* \| from: (\w+)\(/.exec(query)?.[1] ?? ''
      return path === '/btql' ? each(sources[source], body['data']) : each(lists[path], body['objects'])
    })
    if (!checked) return context.skip('../shared/openapi is absent')
    await readEverything('braintrust')
    expect(checked.faults).toEqual([])
    expect(checked.checked).toBeGreaterThan(36 + 14)
  })

  test('its own client lists the same projects, datasets and experiments', async () => {
    server = await startProvider('braintrust', fakeTraces(12, begin), items)
    const client = new Braintrust({ apiKey: braintrustKey, baseURL: server.url })
    const names = async (list: AsyncIterable<{ id: string }>) => {
      const ids: string[] = []
      for await (const { id } of list) ids.push(id)
      return ids
    }
    expect(await names(client.project.list())).toEqual([braintrustIds.project])
    expect(await names(client.dataset.list())).toEqual([braintrustIds.dataset])
    expect(await names(client.experiment.list())).toEqual([braintrustIds.experiment])
  })
})
