import { countIn, type Json, numberCursor, objectIn, objectOrEmpty, objectsIn, requiredText, textIn, timeIn } from './read-reply.ts'
import { isShort, marginMs, shifted, tokensBelow, widened } from './langsmith-late-runs.ts'
import { badReply, ProviderFault } from './provider-fault.ts'
import type { ProviderRequest } from './provider-transport.ts'
import {
  type Ask,
  type BackfillPage,
  type BackfillPlace,
  firstPlace,
  lacksEndpoint,
  type Listed,
  type ProviderItem,
  restartAfterRefusedCursor,
  type TraceAdapter,
} from './trace-adapter.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'
import { isObject } from '../../../lib/json-value.ts'

const mostTraces = 100
const mostOldRuns = 100
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Fields requested of a run. Never SHARE_URL, which is a secret, nor LS_USER_ID, which identifies a person. */
const selected = [
  'ID NAME RUN_TYPE STATUS START_TIME END_TIME ERROR EXTRA METADATA INPUTS OUTPUTS PARENT_RUN_IDS PROJECT_ID TRACE_ID DOTTED_ORDER IS_ROOT',
  'REFERENCE_EXAMPLE_ID TOTAL_TOKENS PROMPT_TOKENS COMPLETION_TOKENS TOTAL_COST TAGS FEEDBACK_STATS',
].flatMap(line => line.split(' '))
const selectedOld = selected
  .filter(name => !['METADATA', 'PROJECT_ID', 'IS_ROOT', 'PARENT_RUN_IDS'].includes(name))
  .map(name => name.toLowerCase())

/** LangSmith's v2 interface, and v1 where an installation has no v2. */
export const langsmith: TraceAdapter = {
  source: 'langsmith',
  title: 'LangSmith',
  order: null,
  isHosted: ({ hostname }) => hostname === 'api.smith.langchain.com' || hostname.endsWith('.api.smith.langchain.com'),
  pace: { initialMs: 1000, minimumMs: 1000 },
  defaultBaseUrl: 'https://api.smith.langchain.com',
  normalizeBaseUrl: typed => trimEndOf(typed, /\//).replace(/\/api(?:\/v\d)?$/, ''),
  headers: ({ key }, project) => ({ 'x-api-key': key, ...(project ? tenant(project.id) : {}) }),
  secrets: ({ key }) => [key],

  projects: async (ask, cursor) => {
    const workspaces = await listWorkspaces(ask)
    const at = readProjectsCursor(cursor)
    const workspace = workspaces[at.workspace]
    if (!workspace) return { items: [], nextCursor: null }
    const page = await listSessions(ask, workspace.id, { type: ['PROJECT', 'AGENT'] }, at.dialect, at.inner, 100)
    const items = page.items.map(session => ({
      id: `${workspace.id}:${requiredText(session, 'id')}`,
      name: requiredText(session, 'name'),
      workspace: workspace.name,
    }))
    const rest =
      page.nextCursor === null
        ? { workspace: at.workspace + 1, dialect: at.dialect, inner: null }
        : { ...at, dialect: page.dialect, inner: page.nextCursor }
    return { items, nextCursor: rest.workspace < workspaces.length ? JSON.stringify(rest) : null }
  },

  project: async (ask, id) => {
    const { session, workspace } = splitProject(id ?? '')
    const found = objectIn(await ask({ method: 'GET', path: `/api/v1/sessions/${session}`, headers: tenant(id ?? '') }))
    if (found['id'] !== session) throw badReply('is about another project')
    const workspaces = await listWorkspaces(ask)
    const name = workspaces.find(each => each.id === workspace)?.name
    return { id: id ?? '', name: requiredText(found, 'name'), ...(name === undefined ? {} : { workspace: name }) }
  },

  resources: async (ask, { project, kind, cursor, limit }) => {
    const { workspace } = splitProject(project.id)
    const { dialect, inner } = readCursor(cursor)
    if (kind === 'experiment') {
      const page = await listSessions(ask, workspace, { type: ['EXPERIMENT'] }, dialect, inner, limit)
      const items = page.items.flatMap(session => {
        const dataset = textIn(session['reference_dataset_id'])
        if (dataset === null) return []
        return {
          // Both are needed to read its rows.
          id: `${dataset}:${requiredText(session, 'id')}`,
          kind,
          name: requiredText(session, 'name'),
          description: textIn(session['description']),
          item_count: countIn(session['run_count']),
          version: null,
          dataset_id: dataset,
          created_at: timeIn(session['start_time']),
        }
      })
      return { items, nextCursor: page.nextCursor === null ? null : JSON.stringify({ dialect: page.dialect, inner: page.nextCursor }) }
    }
    const page = await newThenOld(
      dialect,
      async () => {
        const reply = objectIn(
          await ask({
            method: 'GET',
            path: '/api/v2/datasets',
            query: { sort_by: 'created_at', page_size: limit, cursor: inner ?? undefined },
            headers: tenant(project.id),
          }),
        )
        return { items: objectsIn(reply['items'], 'items'), nextCursor: textIn(reply['next_cursor']) }
      },
      () => listOld(ask, { method: 'GET', path: '/api/v1/datasets', headers: tenant(project.id) }, inner, limit),
    )
    const items = page.items.map(dataset => ({
      id: requiredText(dataset, 'id'),
      kind,
      name: requiredText(dataset, 'name'),
      description: textIn(dataset['description']),
      item_count: countIn(dataset['example_count']),
      version: null,
      created_at: timeIn(dataset['created_at']),
    }))
    return { items, nextCursor: page.nextCursor === null ? null : JSON.stringify({ dialect: page.dialect, inner: page.nextCursor }) }
  },

  // `as_of` takes a time.
  latestVersion: async (_ask, _query, now) => now,

  itemsRequest: ({ project, kind, resourceId, cursor, limit, version }, dialect) => {
    const headers = tenant(project.id)
    if (kind === 'dataset') {
      const query = { dataset: checkedId(resourceId), as_of: version, limit, offset: numberCursor(cursor, 0), order: 'id' }
      return { method: 'GET', path: '/api/v1/examples', query, headers }
    }
    const [dataset = '', experiment = ''] = resourceId.split(':').map(checkedId)
    if (dialect === 'old') {
      const body = { session_ids: [experiment], limit, offset: numberCursor(cursor, 0), preview: false }
      return { method: 'POST', path: `/api/v1/datasets/${dataset}/runs`, body, headers }
    }
    const body = { experiment_ids: [experiment], selects: selected, page_size: limit, ...(cursor === null ? {} : { cursor }) }
    return { method: 'POST', path: `/api/v2/datasets/${dataset}/experiment-runs`, body, headers }
  },

  readItems: (reply, { kind, cursor, limit }, dialect) => {
    if (kind === 'experiment' && dialect === 'new') {
      const page = objectIn(reply)
      return { items: objectsIn(page['items'], 'items').map(readExperimentRow), nextCursor: textIn(page['next_cursor']) }
    }
    const rows = objectsIn(reply, 'items')
    const offset = numberCursor(cursor, 0)
    const nextCursor = rows.length < limit ? null : String(offset + rows.length)
    return { items: rows.map(kind === 'dataset' ? readExample : readExperimentRow), nextCursor }
  },

  startBackfill: window => firstPlace(window, mostTraces),

  backfillRequest: (place, { project, onlyRoots }) => {
    const { session } = splitProject(project.id)
    const headers = tenant(project.id)
    const trace = place.pending[0]
    if (place.phase === 'runs' && trace)
      return {
        method: 'GET',
        path: `/api/v2/traces/${checkedId(trace.id)}/runs`,
        query: { project_id: session, min_start_time: trace.from, max_start_time: trace.to, selects: selected },
        headers,
      }
    const cursor = place.cursor === null ? {} : { cursor: place.cursor }
    if (place.dialect === 'old') {
      const window = { session: [session], start_time: place.from, end_time: place.to, ...(onlyRoots ? { is_root: true } : {}) }
      return {
        method: 'POST',
        path: '/api/v1/runs/query',
        body: { ...window, select: selectedOld, limit: place.limit, ...cursor },
        headers,
      }
    }
    const window = { project_id: session, min_start_time: place.from, max_start_time: place.to }
    return {
      method: 'POST',
      path: '/api/v2/traces/query',
      body: { ...window, selects: selected, page_size: place.limit, ...cursor },
      headers,
    }
  },

  readBackfill: (reply, place, window): BackfillPage => {
    const page = objectIn(reply)
    if (place.phase === 'runs') {
      const runs = objectsIn(page['items'], 'items')
      // Its root came with the list.
      const below = runs.filter(run => run['id'] !== place.pending[0]?.id)
      const next = isShort(runs, place.pending[0]) ? widened(place) : afterTrace(place)
      return { spans: below, annotations: below.flatMap(readFeedback), received: runs.length, next }
    }
    if (place.dialect === 'old') {
      const runs = objectsIn(page['runs'], 'runs')
      const cursor = textIn(objectOrEmpty(page['cursors'])['next'])
      return {
        spans: runs,
        annotations: runs.flatMap(readFeedback),
        received: runs.length,
        next: cursor === null ? null : { ...place, cursor },
      }
    }
    const roots = objectsIn(page['items'], 'items').map(item => objectIn(item['root_run']))
    const cursor = textIn(page['next_cursor'])
    const annotations = roots.flatMap(readFeedback)
    if (window.onlyRoots || roots.length === 0)
      return { spans: roots, annotations, received: roots.length, next: cursor === null ? null : { ...place, cursor } }
    const pending = roots.map(root => ({
      id: textIn(root['trace_id']) ?? requiredText(root, 'id'),
      from: shifted(requiredText(root, 'start_time'), -marginMs),
      // Background work begins after its root ended; a root that runs may still begin some.
      to: shifted(textIn(root['end_time']) ?? window.to, marginMs),
      ...tokensBelow(root),
    }))
    return { spans: roots, annotations, received: roots.length, next: { ...place, phase: 'runs', cursor, pending } }
  },

  recover: (fault, place, window) => {
    // The trace was deleted after it was listed.
    if (place.phase === 'runs')
      return fault.status === 404 ? (afterTrace(place) ?? { ...place, phase: 'spans', pending: [], from: place.to }) : null
    if (lacksEndpoint(fault) && place.dialect === 'new') return { ...firstPlace(window, mostOldRuns), dialect: 'old' }
    return restartAfterRefusedCursor(fault, place)
  },
}

function afterTrace(place: BackfillPlace): BackfillPlace | null {
  const pending = place.pending.slice(1)
  if (pending.length > 0) return { ...place, pending }
  return place.cursor === null ? null : { ...place, phase: 'spans', pending: [] }
}

function splitProject(id: string): { workspace: string; session: string } {
  const [workspace = '', session = ''] = id.split(':')
  return { workspace: checkedId(workspace), session: checkedId(session) }
}

/** Ids go into paths. @throws ProviderFault not_found */
function checkedId(id: string): string {
  if (!uuid.test(id))
    throw new ProviderFault('not_found', `"${id.slice(0, 80)}" is no id of LangSmith. Take it from the list of projects or resources.`)
  return id
}

function tenant(projectId: string): Record<string, string> {
  const [workspace = ''] = projectId.split(':')
  return uuid.test(workspace) ? { 'x-tenant-id': workspace } : {}
}

async function listWorkspaces(ask: Ask): Promise<{ id: string; name: string }[]> {
  try {
    const workspaces = objectsIn(await ask({ method: 'GET', path: '/api/v1/workspaces' }), 'workspaces')
    return workspaces.map(each => ({ id: requiredText(each, 'id'), name: textIn(each['display_name']) ?? requiredText(each, 'id') }))
  } catch (error) {
    // A key of one workspace may not list them; it can say which one it is of.
    if (!(error instanceof ProviderFault) || (error.status !== 403 && error.status !== 404)) throw error
    const settings = objectIn(await ask({ method: 'GET', path: '/api/v1/settings' }))
    return [{ id: requiredText(settings, 'id'), name: textIn(settings['display_name']) ?? requiredText(settings, 'id') }]
  }
}

type Dialect = BackfillPlace['dialect']

async function newThenOld<Item>(
  dialect: Dialect,
  current: () => Promise<Listed<Item>>,
  old: () => Promise<Listed<Item>>,
): Promise<Listed<Item> & { dialect: Dialect }> {
  if (dialect === 'new') {
    try {
      return { ...(await current()), dialect }
    } catch (error) {
      if (!(error instanceof ProviderFault) || !lacksEndpoint(error)) throw error
    }
  }
  return { ...(await old()), dialect: 'old' }
}

function listSessions(
  ask: Ask,
  workspace: string,
  { type }: { type: readonly string[] },
  dialect: Dialect,
  inner: string | null,
  limit: number,
) {
  const headers = { 'x-tenant-id': checkedId(workspace) }
  return newThenOld<Json>(
    dialect,
    async () => {
      const reply = objectIn(
        await ask({ method: 'GET', path: '/api/v2/sessions', query: { type, page_size: limit, cursor: inner ?? undefined }, headers }),
      )
      return { items: objectsIn(reply['items'], 'items'), nextCursor: textIn(reply['next_cursor']) }
    },
    () => {
      const isExperiments = type.includes('EXPERIMENT')
      return listOld(
        ask,
        { method: 'GET', path: '/api/v1/sessions', query: isExperiments ? {} : { reference_free: true }, headers },
        inner,
        limit,
      )
    },
  )
}

async function listOld(ask: Ask, request: ProviderRequest, inner: string | null, limit: number): Promise<Listed<Json>> {
  const offset = numberCursor(inner, 0)
  const items = objectsIn(await ask({ ...request, query: { ...request.query, limit, offset } }), 'items')
  return { items, nextCursor: items.length < limit ? null : String(offset + items.length) }
}

function readCursor(cursor: string | null): { dialect: Dialect; inner: string | null } {
  const read = parsedCursor(cursor)
  return { dialect: read['dialect'] === 'old' ? 'old' : 'new', inner: textIn(read['inner']) }
}

function readProjectsCursor(cursor: string | null) {
  return { ...readCursor(cursor), workspace: countIn(parsedCursor(cursor)['workspace']) ?? 0 }
}

function parsedCursor(cursor: string | null): Json {
  try {
    const read: unknown = cursor === null ? {} : JSON.parse(cursor)
    return isObject(read) ? read : {}
  } catch {
    return {}
  }
}

function readExample(example: Json): ProviderItem {
  return {
    id: requiredText(example, 'id'),
    input: example['inputs'],
    expected: example['outputs'],
    output: undefined,
    metadata: objectOrEmpty(example['metadata']),
    skip: null,
    raw: example,
  }
}

/** An example with the runs of the experiment; the last run that ended is the candidate's answer. */
function readExperimentRow(row: Json): ProviderItem {
  const runs = Array.isArray(row['runs']) ? row['runs'].filter(isObject) : []
  const run = runs.findLast(each => each['outputs'] !== undefined && each['outputs'] !== null)
  return { ...readExample(row), output: run?.['outputs'], skip: run ? null : 'The experiment has no output for this example.' }
}

/** Feedback comes as totals per key. */
function readFeedback(run: Json): Json[] {
  const traceId = textIn(run['trace_id']) ?? textIn(run['id'])
  const spanId = textIn(run['id'])
  return Object.entries(objectOrEmpty(run['feedback_stats'])).flatMap(([name, stats]) => {
    const average = objectOrEmpty(stats)['avg']
    if (traceId === null || typeof average !== 'number') return []
    return [{ id: `${spanId ?? ''}:${name}`, traceId, spanId, name, value: average, comment: null, createdAt: null }]
  })
}
