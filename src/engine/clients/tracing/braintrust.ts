import { type Json, objectIn, objectOrEmpty, objectsIn, requiredText, textIn, timeIn } from './read-reply.ts'
import { ProviderFault } from './provider-fault.ts'
import type { ProviderRequest } from './provider-transport.ts'
import { type BackfillPage, firstPlace, type Project, type ProviderItem, type TraceAdapter } from './trace-adapter.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

const mostRows = 1000
const fewestRows = 25
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Without a bound the whole history is scanned, and a strict server refuses the query. */
const bounded = `created >= '1970-01-01T00:00:00Z'`

/** Braintrust: lists over REST, rows over BTQL, paged by `_pagination_key`, which resumes without a live cursor. */
export const braintrust: TraceAdapter = {
  source: 'braintrust',
  title: 'Braintrust',
  order: 'ascending',
  isHosted: ({ hostname }) => hostname === 'api.braintrust.dev' || hostname === 'api-eu.braintrust.dev',
  // About 20 BTQL queries a minute per project.
  pace: { initialMs: 3500, minimumMs: 3500 },
  defaultBaseUrl: 'https://api.braintrust.dev',
  normalizeBaseUrl: typed => trimEndOf(typed, /\//).replace(/\/v1$/, ''),
  headers: ({ key }, project) => ({
    authorization: `Bearer ${key}`,
    ...(project?.workspace ? { 'x-bt-org-name': project.workspace } : {}),
  }),
  secrets: ({ key }) => [key],

  projects: async (ask, cursor) => {
    const organizations = await listOrganizations(ask)
    const limit = 100
    const reply = objectIn(await ask({ method: 'GET', path: '/v1/project', query: { limit, starting_after: cursor ?? undefined } }))
    const projects = objectsIn(reply['objects'], 'objects')
    const items = projects.filter(isAlive).map(project => toProject(project, organizations))
    return { items, nextCursor: projects.length < limit ? null : lastId(projects) }
  },

  project: async (ask, id) => {
    const found = objectIn(await ask({ method: 'GET', path: `/v1/project/${checkedId(id ?? '')}` }))
    if (!isAlive(found)) throw new ProviderFault('not_found', `The project "${id ?? ''}" was deleted at the provider.`, { status: 404 })
    return toProject(found, await listOrganizations(ask))
  },

  resources: async (ask, { project, kind, cursor, limit }) => {
    const query = { project_id: checkedId(project.id), limit, starting_after: cursor ?? undefined }
    const reply = objectIn(await ask({ method: 'GET', path: `/v1/${kind}`, query }))
    const found = objectsIn(reply['objects'], 'objects')
    const items = found.filter(isAlive).map(each => {
      const dataset = kind === 'experiment' ? textIn(each['dataset_id']) : null
      return {
        id: requiredText(each, 'id'),
        kind,
        name: requiredText(each, 'name'),
        description: textIn(each['description']),
        item_count: null,
        version: kind === 'experiment' ? textIn(each['dataset_version']) : null,
        ...(dataset === null ? {} : { dataset_id: dataset }),
        created_at: timeIn(each['created']),
      }
    })
    return { items, nextCursor: found.length < limit ? null : lastId(found) }
  },

  latestVersion: async (ask, { kind, resourceId }) => {
    const query = `select: _xact_id | from: ${sourceOf(kind, resourceId)} | filter: ${bounded} | sort: _xact_id desc | limit: 1`
    const rows = objectsIn(objectIn(await ask(btql(query)))['data'], 'data')
    return textIn(rows[0]?.['_xact_id']) ?? '0'
  },

  itemsRequest: ({ kind, resourceId, cursor, limit, version }) => {
    const roots = kind === 'experiment' ? ' and is_root = true' : ''
    const filter = `${cursor === null ? bounded : `_pagination_key > ${literal(cursor)}`}${roots}`
    const query = `select: * | from: ${sourceOf(kind, resourceId)} | filter: ${filter} | sort: _pagination_key asc | limit: ${limit}`
    return btql(query, version === '0' ? {} : { version })
  },

  readItems: (reply, { kind, limit }) => {
    const rows = objectsIn(objectIn(reply)['data'], 'data')
    const items = rows.map(row => readItem(row, kind === 'experiment'))
    return { items, nextCursor: rows.length < limit ? null : lastKey(rows) }
  },

  startBackfill: window => firstPlace(window, mostRows),

  backfillRequest: (place, { project, onlyRoots }) => {
    const filter = [
      `created >= ${literal(place.from)} and created < ${literal(place.to)}`,
      ...(place.cursor === null ? [] : [`_pagination_key > ${literal(place.cursor)}`]),
      ...(onlyRoots ? ['is_root = true'] : []),
    ].join(' and ')
    return btql(
      `select: * | from: project_logs(${literal(checkedId(project.id))}) spans | filter: ${filter} | sort: _pagination_key asc | limit: ${place.limit}`,
    )
  },

  readBackfill: (reply, place): BackfillPage => {
    const spans = objectsIn(objectIn(reply)['data'], 'data')
    const cursor = spans.length < place.limit ? null : lastKey(spans)
    return { spans, annotations: spans.flatMap(readScores), received: spans.length, next: cursor === null ? null : { ...place, cursor } }
  },

  recover: ({ status }, place) => {
    const isTooMuch = status === 413 || status === 500 || status === 504
    return isTooMuch && place.limit > fewestRows ? { ...place, limit: Math.max(fewestRows, Math.floor(place.limit / 2)) } : null
  },
}

function btql(query: string, more: Json = {}): ProviderRequest {
  return { method: 'POST', path: '/btql', body: { query, fmt: 'json', use_columnstore: false, brainstore_realtime: true, ...more } }
}

/** A text of BTQL. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function sourceOf(kind: 'dataset' | 'experiment', id: string): string {
  return `${kind}(${literal(checkedId(id))})${kind === 'experiment' ? ' spans' : ''}`
}

/** Ids go into paths and queries. @throws ProviderFault not_found */
function checkedId(id: string): string {
  if (!uuid.test(id))
    throw new ProviderFault('not_found', `"${id.slice(0, 80)}" is no id of Braintrust. Take it from the list of projects or resources.`)
  return id
}

async function listOrganizations(ask: Parameters<TraceAdapter['projects']>[0]): Promise<ReadonlyMap<string, string>> {
  const reply = objectIn(await ask({ method: 'GET', path: '/v1/organization' }))
  return new Map(objectsIn(reply['objects'], 'objects').map(each => [requiredText(each, 'id'), requiredText(each, 'name')]))
}

function toProject(project: Json, organizations: ReadonlyMap<string, string>): Project {
  const workspace = organizations.get(textIn(project['org_id']) ?? '')
  return { id: requiredText(project, 'id'), name: requiredText(project, 'name'), ...(workspace === undefined ? {} : { workspace }) }
}

function isAlive(each: Json): boolean {
  return textIn(each['deleted_at']) === null
}

function lastId(list: readonly Json[]): string | null {
  return textIn(list.at(-1)?.['id'])
}

function lastKey(rows: readonly Json[]): string | null {
  return textIn(rows.at(-1)?.['_pagination_key'])
}

function readItem(row: Json, isExperiment: boolean): ProviderItem {
  return {
    id: requiredText(row, 'id'),
    input: row['input'],
    expected: row['expected'],
    output: isExperiment ? row['output'] : undefined,
    metadata: objectOrEmpty(row['metadata']),
    skip: isExperiment && (row['output'] === undefined || row['output'] === null) ? 'The experiment has no output for this row.' : null,
    raw: row,
  }
}

/** Scores are a map on the span. */
function readScores(span: Json): Json[] {
  const spanId = textIn(span['span_id']) ?? textIn(span['id'])
  const traceId = textIn(span['root_span_id']) ?? spanId
  return Object.entries(objectOrEmpty(span['scores'])).flatMap(([name, value]) =>
    traceId !== null && typeof value === 'number'
      ? [{ id: `${spanId ?? ''}:${name}`, traceId, spanId, name, value, comment: null, createdAt: timeIn(span['created']) }]
      : [],
  )
}
