import { countIn, type Json, numberCursor, objectIn, objectOrEmpty, objectsIn, requiredText, textIn, timeIn } from './read-reply.ts'
import { ProviderFault } from './provider-fault.ts'
import {
  type BackfillPage,
  type BackfillPlace,
  firstPlace,
  lacksEndpoint,
  nextPart,
  type ProviderItem,
  restartAfterRefusedCursor,
  type TraceAdapter,
} from './trace-adapter.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'
import { isObject } from '../../../lib/json-value.ts'

const api = '/api/public'
/** Everything but `trace_context`'s tags: what a span is read from. */
const observationFields = 'core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context'
const mostObservations = 1000
const mostScores = 100
/** The v1 API gives at most this many. */
const mostOldObservations = 100
/** Experiments need a first start time; no Langfuse is older. */
const beginning = '2020-01-01T00:00:00.000Z'
/** A window is not halved below this many milliseconds. */
const shortestPart = 1000

/** Langfuse v4, and v3 for observations where v4's are absent. Reference: Langfuse's public OpenAPI document. */
export const langfuse: TraceAdapter = {
  source: 'langfuse',
  title: 'Langfuse',
  order: 'descending',
  isHosted: ({ hostname }) => hostname === 'cloud.langfuse.com' || hostname.endsWith('.cloud.langfuse.com'),
  // The smallest plan allows 30 a minute, the largest 1,000.
  pace: { initialMs: 2500, minimumMs: 70 },
  defaultBaseUrl: null,
  normalizeBaseUrl: typed => trimEndOf(typed, /\//).replace(/\/api\/public$/, ''),
  headers: ({ key, secret }) => ({ authorization: `Basic ${basic(key, secret)}` }),
  secrets: ({ key, secret }) => [secret ?? '', basic(key, secret)],

  projects: async (ask, _cursor) => {
    try {
      const { data } = objectIn(await ask({ method: 'GET', path: `${api}/projects` }))
      const items = objectsIn(data, 'data').map(project => ({
        id: requiredText(project, 'id'),
        name: requiredText(project, 'name'),
        ...workspaceOf(objectOrEmpty(project['organization'])),
      }))
      return { items, nextCursor: null }
    } catch (error) {
      // An organization's key reads no project's data, but it lists the projects.
      if (!(error instanceof ProviderFault) || error.status !== 403) throw error
      const { projects } = objectIn(await ask({ method: 'GET', path: `${api}/organizations/projects` }))
      const items = objectsIn(projects, 'projects').map(project => ({
        id: requiredText(project, 'id'),
        name: requiredText(project, 'name'),
      }))
      return { items, nextCursor: null }
    }
  },

  project: async (ask, id) => {
    const { data } = objectIn(await ask({ method: 'GET', path: `${api}/projects` }))
    const projects = objectsIn(data, 'data')
    const found = id === null && projects.length === 1 ? projects[0] : projects.find(project => project['id'] === id)
    if (!found) {
      const names = projects.map(project => `${requiredText(project, 'id')} (${requiredText(project, 'name')})`)
      throw new ProviderFault(
        'not_found',
        id === null ? `The key reads several projects; name one: ${names.join(', ')}.` : `The key does not read the project "${id}".`,
      )
    }
    return { id: requiredText(found, 'id'), name: requiredText(found, 'name'), ...workspaceOf(objectOrEmpty(found['organization'])) }
  },

  resources: async (ask, { kind, cursor, limit }) => {
    if (kind === 'experiment') {
      const { data, meta } = objectIn(
        await ask({
          method: 'GET',
          path: `${api}/experiments`,
          query: { fromStartTime: beginning, fields: 'core', limit, cursor: cursor ?? undefined },
        }),
      )
      const items = objectsIn(data, 'data').map(experiment => {
        const dataset = textIn(experiment['datasetId'])
        return {
          id: requiredText(experiment, 'id'),
          kind,
          name: requiredText(experiment, 'name'),
          description: textIn(experiment['description']),
          item_count: countIn(experiment['itemCount']),
          version: null,
          ...(dataset === null ? {} : { dataset_id: dataset }),
          created_at: timeIn(experiment['startTime']),
        }
      })
      return { items, nextCursor: textIn(objectOrEmpty(meta)['cursor']) }
    }
    const page = numberCursor(cursor, 1)
    const { data, meta } = objectIn(await ask({ method: 'GET', path: `${api}/v2/datasets`, query: { page, limit } }))
    const items = objectsIn(data, 'data').map(dataset => ({
      // Items are requested by name; names are unique within a project.
      id: requiredText(dataset, 'name'),
      kind,
      name: requiredText(dataset, 'name'),
      description: textIn(dataset['description']),
      item_count: null,
      version: null,
      created_at: timeIn(dataset['createdAt']),
    }))
    return { items, nextCursor: nextPage(meta, page) }
  },

  // Items are read as they were at this time.
  latestVersion: async (_ask, _query, now) => now,

  itemsRequest: ({ kind, resourceId, cursor, limit, version }) =>
    kind === 'dataset'
      ? { method: 'GET', path: `${api}/dataset-items`, query: { datasetName: resourceId, version, page: numberCursor(cursor, 1), limit } }
      : {
          method: 'GET',
          path: `${api}/experiment-items`,
          query: {
            fromStartTime: beginning,
            toStartTime: version,
            experimentId: resourceId,
            fields: 'core,dataset,io,metadata,itemMetadata',
            limit,
            cursor: cursor ?? undefined,
          },
        },

  readItems: (reply, { kind, cursor }) => {
    const { data, meta } = objectIn(reply)
    const items = objectsIn(data, 'data').map(kind === 'dataset' ? readDatasetItem : readExperimentItem)
    return { items, nextCursor: kind === 'dataset' ? nextPage(meta, numberCursor(cursor, 1)) : textIn(objectOrEmpty(meta)['cursor']) }
  },

  startBackfill: window => firstPlace(window, mostObservations),

  backfillRequest: (place, { onlyRoots }) => {
    if (place.phase === 'scores')
      return {
        method: 'GET',
        path: `${api}/v3/scores`,
        query: {
          fromTimestamp: place.from,
          toTimestamp: place.to,
          fields: 'details,subject',
          limit: place.limit,
          cursor: place.cursor ?? undefined,
        },
      }
    const window = { fromStartTime: place.from, toStartTime: place.to, limit: place.limit }
    if (place.dialect === 'old')
      return { method: 'GET', path: `${api}/observations`, query: { ...window, page: numberCursor(place.cursor, 1) } }
    return {
      method: 'GET',
      path: `${api}/v2/observations`,
      query: { ...window, fields: observationFields, cursor: place.cursor ?? undefined, isRootObservation: onlyRoots ? true : undefined },
    }
  },

  readBackfill: (reply, place, window): BackfillPage => {
    const { data, meta } = objectIn(reply)
    const records = objectsIn(data, 'data')
    if (place.phase === 'scores') {
      const cursor = textIn(objectOrEmpty(meta)['cursor'])
      return {
        spans: [],
        annotations: records.flatMap(readScore),
        received: records.length,
        next: cursor === null ? null : { ...place, cursor },
      }
    }
    const cursor = place.dialect === 'old' ? nextPage(meta, numberCursor(place.cursor, 1)) : textIn(objectOrEmpty(meta)['cursor'])
    const spans =
      place.dialect === 'old' && window.onlyRoots ? records.filter(each => textIn(each['parentObservationId']) === null) : records
    const next = cursor === null ? (nextPart(place) ?? scoresPlace(place, window.from, window.to)) : { ...place, cursor }
    return { spans, annotations: [], received: records.length, next }
  },

  recover: (fault, place, window) => {
    if (place.phase === 'scores') {
      // An installation without this endpoint has no scores to annotate with; the spans are all there.
      return restartAfterRefusedCursor(fault, place)
    }
    if (fault.status === 422) return halved(place)
    if (lacksEndpoint(fault) && place.dialect === 'new') return { ...firstPlace(window, mostOldObservations), dialect: 'old' }
    return restartAfterRefusedCursor(fault, place)
  },
}

function basic(key: string, secret: string | null): string {
  return Buffer.from(`${key}:${secret ?? ''}`).toString('base64')
}

function workspaceOf(organization: Json): { workspace?: string } {
  const name = textIn(organization['name'])
  return name === null ? {} : { workspace: name }
}

function nextPage(meta: unknown, page: number): string | null {
  const total = countIn(objectOrEmpty(meta)['totalPages'])
  return total !== null && page < total ? String(page + 1) : null
}

function scoresPlace(place: BackfillPlace, from: string, to: string): BackfillPlace | null {
  return place.dialect === 'old' ? null : { ...place, phase: 'scores', cursor: null, limit: mostScores, from, to, restarted: false }
}

/** Langfuse ran out of its database's resources: half the window at a time. */
function halved(place: BackfillPlace): BackfillPlace | null {
  const [from, to] = [Date.parse(place.from), Date.parse(place.to)]
  if (to - from < shortestPart * 2) return null
  const middle = new Date(from + Math.floor((to - from) / 2)).toISOString()
  return { ...place, cursor: null, to: middle, later: [{ from: middle, to: place.to }, ...place.later] }
}

function readDatasetItem(item: Json): ProviderItem {
  return {
    id: requiredText(item, 'id'),
    input: item['input'],
    expected: item['expectedOutput'],
    output: undefined,
    metadata: objectOrEmpty(item['metadata']),
    skip: item['status'] === 'ARCHIVED' ? 'The item is archived at the provider.' : null,
    raw: item,
  }
}

function readExperimentItem(item: Json): ProviderItem {
  return {
    id: requiredText(item, 'experimentItemId'),
    input: parsed(item['input']),
    expected: parsed(item['expectedOutput']),
    output: parsed(item['output']),
    metadata: { ...objectOrEmpty(item['metadata']), provider_trace_id: textIn(item['traceId']) },
    skip: null,
    raw: item,
  }
}

/** Inputs and outputs of v4 are texts, often of JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A score of a trace or an observation; those of sessions and experiments belong to no trace. */
function readScore(score: Json): Json[] {
  const subject = objectOrEmpty(score['subject'])
  const isObservation = subject['kind'] === 'observation'
  const traceId = isObservation ? textIn(subject['traceId']) : subject['kind'] === 'trace' ? textIn(subject['id']) : null
  if (traceId === null) return []
  return [
    {
      id: requiredText(score, 'id'),
      traceId,
      spanId: isObservation ? textIn(subject['id']) : null,
      name: textIn(score['name']) ?? 'score',
      value: isObject(score['value']) ? null : score['value'],
      comment: textIn(score['comment']),
      createdAt: timeIn(score['timestamp']),
    },
  ]
}
