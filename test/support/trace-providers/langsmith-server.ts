import {
  type FakeItem,
  type FakeTrace,
  fixedUuid,
  iso,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.ts'

export interface LangsmithData {
  readonly traces: readonly FakeTrace[]
  readonly items: readonly FakeItem[]
  /** Only v1, as an older self-hosted installation. */
  readonly isOld?: boolean
}

export const langsmithKey = 'lsv2_pt_0123456789abcdef'
export const langsmithIds = {
  workspace: fixedUuid(10, 1),
  project: fixedUuid(11, 1),
  dataset: fixedUuid(12, 1),
  experiment: fixedUuid(13, 1),
}
const created = '2026-11-01T00:00:00.000Z'

/** LangSmith's v1 and v2 APIs, as far as they are read. */
export function langsmithServer(data: LangsmithData): Promise<ScriptedServer> {
  const session = {
    id: langsmithIds.project,
    name: 'Support bot',
    tenant_id: langsmithIds.workspace,
    start_time: created,
    run_count: data.traces.length,
  }
  const experiment = {
    ...session,
    id: langsmithIds.experiment,
    name: 'gpt-6 run',
    reference_dataset_id: langsmithIds.dataset,
    type: 'EXPERIMENT',
  }
  const dataset = {
    id: langsmithIds.dataset,
    name: 'GSM8K',
    description: 'Word problems',
    data_type: 'kv',
    created_at: created,
    modified_at: created,
    example_count: data.items.length,
    session_count: 1,
    tenant_id: langsmithIds.workspace,
  }
  const answer = (request: ScriptedRequest): ScriptedReply => {
    const { path, query, body } = request
    const reply = common(path)
    if (reply) return reply
    if (data.isOld && path.startsWith('/api/v2/')) return { status: 404, body: { detail: 'Not Found' } }
    switch (path) {
      case '/api/v2/sessions':
        return list(
          query.getAll('type').includes('EXPERIMENT') ? [experiment] : [{ ...session, type: 'PROJECT' }],
          query.get('cursor'),
          Number(query.get('page_size')),
        )
      case '/api/v1/sessions':
        return sliced(query.get('reference_free') === 'true' ? [session] : [session, experiment], query)
      case '/api/v2/datasets':
        return list([dataset], query.get('cursor'), Number(query.get('page_size')))
      case '/api/v1/datasets':
        return sliced([dataset], query)
      case '/api/v1/examples':
        return query.get('as_of') === null ? { status: 422, body: { detail: 'as_of' } } : sliced(data.items.map(example), query)
      case `/api/v2/datasets/${langsmithIds.dataset}/experiment-runs`:
        return list(data.items.map(experimentRow), textOf(body['cursor']), Number(body['page_size'] ?? 20))
      case `/api/v1/datasets/${langsmithIds.dataset}/runs`: {
        const begin = Number(body['offset'])
        return { status: 200, body: data.items.slice(begin, begin + Number(body['limit'])).map(experimentRow) }
      }
      case '/api/v2/traces/query': {
        if (body['project_id'] !== langsmithIds.project || !Array.isArray(body['selects']))
          return { status: 422, body: { detail: 'project_id' } }
        const within = data.traces.filter(
          ({ startedAt }) => iso(startedAt) >= String(body['min_start_time']) && iso(startedAt) < String(body['max_start_time']),
        )
        const items = within.map(trace => ({ root_run: runsOf(trace)[0], trace_aggregates: null }))
        return list(items, textOf(body['cursor']), Number(body['page_size'] ?? 100))
      }
      case '/api/v1/runs/query': {
        const within = data.traces
          .flatMap(runsOf)
          .filter(({ start_time }) => start_time >= String(body['start_time']) && start_time < String(body['end_time']))
        const begin = Number(textOf(body['cursor']) ?? 0)
        const limit = Number(body['limit'])
        if (limit > 100) return { status: 422, body: { detail: 'limit' } }
        const next = begin + limit < within.length ? String(begin + limit) : null
        return {
          status: 200,
          headers: { deprecation: 'true', sunset: 'Sun, 31 Jan 2027 00:00:00 GMT' },
          body: { runs: within.slice(begin, begin + limit), cursors: { next, prev: null } },
        }
      }
      default: {
        const traceId = /^\/api\/v2\/traces\/([^/]+)\/runs$/.exec(path)?.[1]
        const trace = data.traces.find(({ id }) => id === traceId)
        if (!trace) return { status: 404, body: { detail: 'Not Found' } }
        const [least, most] = [query.get('min_start_time') ?? '', query.get('max_start_time') ?? '']
        return { status: 200, body: { items: runsOf(trace).filter(run => run.start_time >= least && run.start_time <= most) } }
      }
    }
  }
  const common = (path: string): ScriptedReply | null => {
    if (path === '/api/v1/info') return { status: 200, body: { version: '0.16.0', instance_flags: {} } }
    if (path === '/api/v1/workspaces')
      return { status: 200, body: [{ id: langsmithIds.workspace, display_name: 'Acme', is_personal: false }] }
    if (path === '/api/v1/settings') return { status: 200, body: { id: langsmithIds.workspace, display_name: 'Acme', created_at: created } }
    if (path === `/api/v1/sessions/${langsmithIds.project}`) return { status: 200, body: session }
    return null
  }
  return scriptedServer(request =>
    request.headers['x-api-key'] === langsmithKey ? answer(request) : { status: 401, body: { detail: 'Invalid token' } },
  )
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function list(all: readonly unknown[], cursor: string | null, size: number): ScriptedReply {
  const begin = cursor === null ? 0 : Number(cursor.replace('c', ''))
  if (Number.isNaN(begin)) return { status: 400, body: { detail: 'invalid cursor' } }
  const end = begin + size
  return { status: 200, body: { items: all.slice(begin, end), next_cursor: end < all.length ? `c${end}` : null } }
}

function sliced(all: readonly unknown[], query: URLSearchParams): ScriptedReply {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 100)]
  return { status: 200, body: all.slice(offset, offset + limit) }
}

function runsOf(trace: FakeTrace) {
  const run = (id: string, offset: number) => ({
    id,
    trace_id: trace.id,
    project_id: langsmithIds.project,
    start_time: iso(trace.startedAt + offset),
    end_time: iso(trace.startedAt + offset + 400),
    tags: [],
  })
  const root = {
    ...run(trace.id, 0),
    name: 'answer question',
    run_type: 'CHAIN',
    status: trace.failed ? 'ERROR' : 'SUCCESS',
    error: trace.failed ? 'The tool failed' : null,
    parent_run_ids: [],
    is_root: true,
    inputs: { question: trace.question },
    outputs: { output: trace.answer },
    total_tokens: 30,
    feedback_stats: { helpful: { n: 1, avg: 0.5 } },
  }
  const calls = Array.from({ length: trace.calls }, (_, i) => ({
    ...run(
      trace.id.replace(/^0{7}1/, `0000001${i + 1}`.slice(-8)),
      i === trace.calls - 1 && trace.lateMs ? 400 + trace.lateMs : 10 + i * 100,
    ),
    name: 'chat',
    run_type: 'LLM',
    status: 'SUCCESS',
    error: null,
    parent_run_ids: [trace.id],
    parent_run_id: trace.id,
    is_root: false,
    extra: { metadata: { ls_model_name: 'gpt-6' } },
    inputs: { messages: [[{ lc: 1, type: 'constructor', id: ['langchain', 'HumanMessage'], kwargs: { content: trace.question } }]] },
    outputs: { generations: [[{ text: trace.answer, message: { kwargs: { content: trace.answer }, id: ['langchain', 'AIMessage'] } }]] },
    prompt_tokens: 10,
    completion_tokens: 5,
  }))
  return [root, ...calls]
}

function example(item: FakeItem) {
  return {
    id: item.id,
    dataset_id: langsmithIds.dataset,
    name: item.id,
    inputs: { question: item.question },
    outputs: { answer: item.answer },
    metadata: {},
    created_at: created,
    modified_at: created,
    attachment_urls: null,
  }
}

function experimentRow(item: FakeItem) {
  const runs = item.output === undefined ? [] : [{ id: item.id, outputs: { output: item.output } }]
  return { ...example(item), runs }
}
