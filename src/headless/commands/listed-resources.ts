import { formatUsd } from '../../lib/format/money.ts'
import { UsageError } from '../exit-codes.ts'
import { allPages } from '../client/all-pages.ts'
import { connectionOf, runIdOf } from '../client/resolve-run.ts'
import type { ServiceClient } from '../client/service-client.ts'

export interface ListPage {
  readonly items: readonly Item[]
  readonly next_cursor?: string | null
}
type Item = Readonly<Record<string, unknown>>
interface Query {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly search?: string | undefined
}

/** Something that the service lists and shows. */
export interface ListedResource {
  readonly name: string
  readonly title: string
  readonly columns: readonly { readonly head: string; readonly cell: (item: Item) => string }[]
  readonly list: (client: ServiceClient, query: Query) => Promise<ListPage>
  readonly show: (client: ServiceClient, id: string) => Promise<unknown>
}

const column = (head: string, ...path: readonly string[]) => ({ head, cell: (item: Item) => text(at(item, path)) })
const money = (head: string, ...path: readonly string[]) => ({
  head,
  cell: (item: Item) => {
    const amount = at(item, path)
    return typeof amount === 'string' ? formatUsd(amount) : ''
  },
})

function at(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  return typeof value === 'object' && value !== null && name in value
    ? at(Object.entries(value).find(([key]) => key === name)?.[1], rest)
    : null
}

function text(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The page's query; a filter that the operation does not have is refused instead of ignored. */
function paged({ limit, cursor, search }: Query): { limit?: number; cursor?: string } {
  if (search !== undefined) throw new UsageError('--search: this list cannot be searched')
  return { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
}

function searched({ search, ...query }: Query): { limit?: number; cursor?: string; q?: string } {
  return { ...paged(query), ...(search === undefined ? {} : { q: search }) }
}

export const listedResources: readonly ListedResource[] = [
  {
    name: 'models',
    title: 'managed model routes',
    columns: [column('ROUTE', 'route_id'), column('TITLE', 'title'), column('KIND', 'kind'), column('STATUS', 'availability', 'status')],
    list: (client, query) => client.call('listModels', { query: searched(query) }),
    show: async (client, id) => {
      for await (const route of allPages(query => client.call('listModels', { query: { ...query, q: id } })))
        if (route.route_id === id) return route
      throw new UsageError(`No model route has the id "${id}". "assay models" lists them.`)
    },
  },
  {
    name: 'connections',
    title: 'connections to model endpoints',
    columns: [column('ID', 'id'), column('NAME', 'name'), column('MODEL', 'model'), column('STATUS', 'status')],
    list: (client, query) => client.call('listConnections', { query: paged(query) }),
    show: connectionOf,
  },
  {
    name: 'keys',
    title: 'API keys; people create and revoke them in Workspace → API keys',
    columns: [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('PREFIX', 'prefix'),
      column('STATUS', 'status'),
      money('SPENT', 'spent_microusd'),
    ],
    list: async (client, query) => {
      paged(query)
      return client.call('listApiKeys', {})
    },
    show: async (client, id) => {
      const found = (await client.call('listApiKeys', {})).items.find(key => key.id === id)
      if (!found) throw new UsageError(`No API key has the id "${id}". "assay keys" lists them.`)
      return found
    },
  },
  {
    name: 'benchmarks',
    title: 'benchmarks',
    columns: [
      column('BENCHMARK', 'slug'),
      column('TITLE', 'title'),
      column('VERSION', 'latest_version', 'version'),
      column('STATUS', 'quote_availability', 'status'),
    ],
    list: (client, query) => client.call('listBenchmarks', { query: searched(query) }),
    show: (client, slug) => client.call('getBenchmark', { params: { slug } }),
  },
  {
    name: 'runs',
    title: 'runs',
    columns: [
      column('ID', 'id'),
      column('STATUS', 'status'),
      column('NAME', 'name'),
      column('MODEL', 'model', 'title'),
      column('SCORED', 'progress', 'scored'),
      column('SAMPLES', 'progress', 'frozen'),
      money('CHARGED', 'accounting', 'charged_microusd'),
    ],
    list: (client, query) => client.call('listRuns', { query: searched(query) }),
    show: async (client, name) => client.call('getRun', { params: { run_id: await runIdOf(client, name) } }),
  },
  {
    name: 'datasets',
    title: 'datasets',
    columns: [column('ID', 'id'), column('NAME', 'name'), column('TASK', 'task'), column('CREATED', 'created_at')],
    list: (client, query) => client.call('listDatasets', { query: searched(query) }),
    show: (client, id) => client.call('getDataset', { params: { dataset_id: id } }),
  },
  {
    name: 'evaluators',
    title: 'evaluators',
    columns: [column('ID', 'id'), column('NAME', 'name'), column('VERSION', 'version'), column('KIND', 'definition', 'kind')],
    list: (client, query) => client.call('listEvaluators', { query: searched(query) }),
    show: (client, id) => client.call('getEvaluator', { params: { evaluator_version_id: id } }),
  },
  {
    name: 'decisions',
    title: 'release decisions',
    columns: [
      column('ID', 'id'),
      column('STATUS', 'status'),
      column('NAME', 'name'),
      column('RECOMMENDATION', 'recommendation'),
      column('ATTEMPT', 'attempt'),
    ],
    list: (client, query) => client.call('listReleaseDecisions', { query: paged(query) }),
    show: (client, id) => client.call('getReleaseDecision', { params: { decision_id: id } }),
  },
]
