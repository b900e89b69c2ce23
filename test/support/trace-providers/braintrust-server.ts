import {
  type FakeItem,
  type FakeTrace,
  fixedUuid,
  iso,
  type ScriptedReply,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.ts'

export interface BraintrustData {
  readonly traces: readonly FakeTrace[]
  readonly items: readonly FakeItem[]
}

export const braintrustKey = 'sk-bt-0123456789abcdef'
export const braintrustIds = {
  organization: fixedUuid(20, 1),
  project: fixedUuid(21, 1),
  dataset: fixedUuid(22, 1),
  experiment: fixedUuid(23, 1),
}
const created = '2026-11-01T00:00:00.000Z'

type Row = Readonly<Record<string, unknown>> & { readonly _pagination_key: string; readonly created: string }

/** Braintrust's lists and as much of BTQL as is sent. */
export function braintrustServer(data: BraintrustData): Promise<ScriptedServer> {
  const organization = { id: braintrustIds.organization, name: 'Acme' }
  const project = { id: braintrustIds.project, org_id: organization.id, name: 'Support bot', created, deleted_at: null }
  const common = { project_id: project.id, description: null, created, deleted_at: null }
  const dataset = { ...common, id: braintrustIds.dataset, name: 'GSM8K', url_slug: 'gsm8k' }
  const experiment = {
    ...common,
    id: braintrustIds.experiment,
    name: 'gpt-6 run',
    dataset_id: dataset.id,
    dataset_version: '1000',
    public: false,
  }
  const spans = data.traces.flatMap(spansOf)
  return scriptedServer(request => {
    const { path, query, headers, body } = request
    if (headers['authorization'] !== `Bearer ${braintrustKey}`) return { status: 401, body: 'Unauthorized' }
    if (path === '/v1/organization') return ok({ objects: [organization] })
    if (path === '/v1/project') return listed([project], query)
    if (path === `/v1/project/${project.id}`) return ok(project)
    if (path === '/v1/dataset') return listed([dataset], query)
    if (path === '/v1/experiment') return listed([experiment], query)
    if (path !== '/btql') return { status: 404, body: 'Not found' }
    return btql(String(body['query']), {
      [`project_logs('${project.id}')`]: spans,
      [`dataset('${dataset.id}')`]: data.items.map((item, i) => itemRow(item, i, { dataset_id: dataset.id })),
      [`experiment('${experiment.id}')`]: data.items.map((item, i) =>
        itemRow(item, i, { experiment_id: experiment.id, output: item.output ?? null }),
      ),
    })
  })
}

function ok(body: unknown): ScriptedReply {
  return { status: 200, body }
}

function listed(all: readonly { readonly id: string }[], query: URLSearchParams): ScriptedReply {
  const after = query.get('starting_after')
  const begin = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  return ok({ objects: all.slice(begin, begin + Number(query.get('limit') ?? 100)) })
}

/** Reads the queries that Assay writes, and refuses any other. */
function btql(query: string, sources: Readonly<Record<string, readonly Row[]>>): ScriptedReply {
  const clauses = Object.fromEntries(query.split(' | ').map(part => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 2)]))
  const { select, from = '', filter = '', sort = '', limit = '' } = clauses
  const rows = sources[from.replace(/ spans$/, '')]
  const count = Number(limit)
  if (!rows || !/^\d+$/.test(limit) || count > 1000)
    return { status: 400, body: { Code: 'BadRequestError', Message: `Bad query: ${query}` } }
  const conditions = filter.split(' and ')
  if (!conditions.some(condition => /^(created|_pagination_key) /.test(condition)))
    return { status: 400, body: 'Query blocked by strict lint mode' }
  const found = rows.filter(row => conditions.every(condition => holds(row, condition)))
  if (select === '_xact_id') return ok({ data: [{ _xact_id: '1000' }] })
  if (sort !== '_pagination_key asc') return { status: 400, body: `Bad sort: ${sort}` }
  const data = found.toSorted((a, b) => (a._pagination_key < b._pagination_key ? -1 : 1)).slice(0, count)
  return ok({ data, schema: { type: 'array' }, cursor: null })
}

function holds(row: Row, condition: string): boolean {
  const [, name = '', operator, text] = /^(\w+) (>=|<|>|=) (?:'(.*)'|true)$/.exec(condition) ?? []
  const value = row[name]
  if (operator === undefined) throw new Error(`The scripted Braintrust does not read the condition: ${condition}`)
  if (text === undefined) return value === true
  if (operator === '>=') return String(value) >= text
  return operator === '<' ? String(value) < text : String(value) > text
}

function spansOf(trace: FakeTrace): Row[] {
  const span = (id: string, offset: number) => ({
    id: `row ${id}`,
    span_id: id,
    root_span_id: trace.id,
    project_id: braintrustIds.project,
    org_id: braintrustIds.organization,
    log_id: 'g',
    _xact_id: '1000',
    _pagination_key: `p${trace.startedAt + offset} ${id}`,
    created: iso(trace.startedAt + offset),
  })
  const times = (offset: number) => ({ start: (trace.startedAt + offset) / 1000, end: (trace.startedAt + offset + 400) / 1000 })
  const root = {
    ...span(trace.id, 0),
    is_root: true,
    span_parents: null,
    input: trace.question,
    output: trace.answer,
    error: trace.failed ? 'The tool failed' : null,
    scores: { helpful: 0.5 },
    metrics: times(0),
    metadata: {},
    span_attributes: { name: 'answer question', type: 'task' },
  }
  const calls = Array.from({ length: trace.calls }, (_, i) => ({
    ...span(`${trace.id}-${i}`, 10 + i * 100),
    is_root: false,
    span_parents: [trace.id],
    input: [{ role: 'user', content: trace.question }],
    output: [{ message: { role: 'assistant', content: trace.answer } }],
    scores: null,
    metrics: { ...times(10 + i * 100), prompt_tokens: 10, completion_tokens: 5 },
    metadata: { model: 'gpt-6' },
    span_attributes: { name: 'chat', type: 'llm' },
  }))
  return [root, ...calls]
}

function itemRow(item: FakeItem, index: number, more: Readonly<Record<string, unknown>>): Row {
  return {
    id: item.id,
    span_id: item.id,
    root_span_id: item.id,
    is_root: true,
    project_id: braintrustIds.project,
    _xact_id: '1000',
    _pagination_key: `p${String(index).padStart(12, '0')}`,
    created,
    input: { question: item.question },
    expected: { answer: item.answer },
    metadata: {},
    tags: null,
    ...more,
  }
}
