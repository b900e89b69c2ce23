import {
  type FakeItem,
  type FakeTrace,
  iso,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.ts'

export interface LangfuseData {
  readonly traces: readonly FakeTrace[]
  readonly datasets: readonly { readonly name: string; readonly items: readonly FakeItem[] }[]
  readonly experiments: readonly { readonly id: string; readonly name: string; readonly items: readonly FakeItem[] }[]
}

export const langfuseKeys = { public_key: 'pk-lf-0123456789', secret_key: 'sk-lf-abcdef0123456789' }
const project = { id: 'proj-1', name: 'Support bot', organization: { id: 'org-1', name: 'Acme' }, metadata: {} }
const created = '2026-11-01T00:00:00.000Z'

/** Langfuse v4's public API, as far as it is read. */
export function langfuseServer(data: LangfuseData): Promise<ScriptedServer> {
  const observations = data.traces.flatMap(observationsOf).sort((a, b) => (a.startTime < b.startTime ? 1 : -1))
  return scriptedServer(request => {
    const expected = `Basic ${Buffer.from(`${langfuseKeys.public_key}:${langfuseKeys.secret_key}`).toString('base64')}`
    if (request.headers['authorization'] !== expected)
      return { status: 401, body: { message: "Invalid credentials. Confirm that you've configured the correct host." } }
    const { path, query } = request
    switch (path.replace('/api/public', '')) {
      case '/projects':
        return ok({ data: [project] })
      case '/v2/datasets':
        return paged(
          query,
          data.datasets.map(({ name }) => dataset(name)),
        )
      case '/dataset-items': {
        const found = data.datasets.find(({ name }) => name === query.get('datasetName'))
        if (!found || query.get('version') === null)
          return { status: 404, body: { message: 'Dataset not found', error: 'LangfuseNotFoundError' } }
        return paged(
          query,
          found.items.map(item => datasetItem(found.name, item)),
        )
      }
      case '/experiments':
        return cursored(request, 'fromStartTime', 100, data.experiments.map(experiment))
      case '/experiment-items': {
        const found = data.experiments.find(({ id }) => id === query.get('experimentId'))
        return cursored(request, 'fromStartTime', 100, found ? found.items.map(item => experimentItem(found, item)) : [])
      }
      case '/v2/observations': {
        const within = observations.filter(({ startTime, isRootObservation }) => {
          const isWanted = query.get('isRootObservation') === null || isRootObservation
          return isWanted && startTime >= (query.get('fromStartTime') ?? '') && startTime < (query.get('toStartTime') ?? '9')
        })
        return cursored(request, 'fromStartTime', 1000, within)
      }
      case '/v3/scores':
        return cursored(request, 'fromTimestamp', 100, data.traces.map(score), true)
      default:
        return { status: 404, body: { message: 'Not found', error: 'LangfuseNotFoundError' } }
    }
  })
}

function ok(body: unknown): ScriptedReply {
  return { status: 200, body }
}

function paged(query: URLSearchParams, all: readonly unknown[]): ScriptedReply {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)]
  if (limit > 100) return { status: 400, body: { message: 'Invalid request data', error: [] } }
  const meta = { page, limit, totalItems: all.length, totalPages: Math.ceil(all.length / limit) }
  return ok({ data: all.slice((page - 1) * limit, page * limit), meta })
}

function cursored({ query }: ScriptedRequest, required: string, most: number, all: readonly unknown[], withLimit = false): ScriptedReply {
  const limit = Number(query.get('limit') ?? 50)
  if (limit > most || (required !== 'fromTimestamp' && query.get(required) === null))
    return { status: 400, body: { message: 'Invalid request data', error: [] } }
  const cursor = query.get('cursor')
  const begin = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString().replace('at ', ''))
  if (Number.isNaN(begin)) return { status: 400, body: { message: 'Invalid cursor', error: [] } }
  const end = begin + limit
  const next = end < all.length ? { cursor: Buffer.from(`at ${end}`).toString('base64url') } : {}
  return ok({ data: all.slice(begin, end), meta: { ...next, ...(withLimit ? { limit } : {}) } })
}

function observationsOf(trace: FakeTrace) {
  const common = (id: string, offset: number) => ({
    id,
    traceId: trace.id,
    startTime: iso(trace.startedAt + offset),
    endTime: iso(trace.startedAt + offset + 400),
    projectId: project.id,
    environment: 'default',
    modelId: null,
    inputPrice: null,
    outputPrice: null,
    totalPrice: null,
    traceName: 'answer question',
  })
  const root = {
    ...common(`${trace.id}-root`, 0),
    parentObservationId: null,
    isRootObservation: true,
    type: 'SPAN',
    name: 'answer question',
    level: trace.failed ? 'ERROR' : 'DEFAULT',
    statusMessage: trace.failed ? 'The tool failed' : null,
    input: trace.question,
    output: trace.answer,
    metadata: { customer: 'c1' },
  }
  const calls = Array.from({ length: trace.calls }, (_, i) => ({
    ...common(`${trace.id}-${i}`, 10 + i * 100),
    parentObservationId: root.id,
    isRootObservation: false,
    type: 'GENERATION',
    name: 'chat',
    level: 'DEFAULT',
    statusMessage: null,
    input: JSON.stringify([{ role: 'user', content: trace.question }]),
    output: JSON.stringify({ role: 'assistant', content: trace.answer }),
    metadata: {},
    providedModelName: 'gpt-6',
    usageDetails: { input: 10, output: 5, total: 15 },
    costDetails: { total: 0.001 },
  }))
  return [root, ...calls]
}

function score(trace: FakeTrace) {
  return {
    id: `score-${trace.id}`,
    projectId: project.id,
    name: 'helpful',
    dataType: 'NUMERIC',
    value: 0.5,
    source: 'API',
    timestamp: iso(trace.startedAt + 500),
    environment: 'default',
    createdAt: created,
    updatedAt: created,
    comment: 'from the provider',
    subject: { kind: 'trace', id: trace.id },
  }
}

function dataset(name: string) {
  const fields = { description: null, metadata: {}, inputSchema: null, expectedOutputSchema: null, projectId: project.id }
  return { id: `id of ${name}`, name, ...fields, createdAt: created, updatedAt: created }
}

function datasetItem(name: string, item: FakeItem) {
  return {
    id: item.id,
    status: item.archived ? 'ARCHIVED' : 'ACTIVE',
    input: { question: item.question },
    expectedOutput: { answer: item.answer },
    metadata: { from: name },
    sourceTraceId: null,
    sourceObservationId: null,
    datasetId: `id of ${name}`,
    datasetName: name,
    createdAt: created,
    updatedAt: created,
    mediaReferences: [],
  }
}

function experiment({ id, name, items }: LangfuseData['experiments'][number]) {
  return { id, name, description: null, startTime: created, endTime: created, itemCount: items.length, datasetId: null }
}

function experimentItem({ id, name }: LangfuseData['experiments'][number], item: FakeItem) {
  return {
    id: `root of ${item.id}`,
    traceId: `trace of ${item.id}`,
    startTime: created,
    endTime: created,
    level: 'DEFAULT',
    environment: 'default',
    experimentId: id,
    experimentName: name,
    experimentItemId: item.id,
    input: item.question,
    output: item.output ?? null,
    expectedOutput: item.answer,
  }
}
