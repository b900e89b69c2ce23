import type { ModelRoute } from '../../contract/catalog/models.schemas.ts'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { connectionStatus, routeStatuses, type Status } from '../ui/values/statuses.ts'

/** One line of the models table: a managed route or a connection, in the same words. */
export interface Model {
  /** `route:<route id>` or `connection:<connection id>`, as in the address. */
  readonly key: string
  readonly title: string
  readonly kind: ModelKind
  readonly model: string
  /** Provider of a route, address of a connection. */
  readonly where: string
  readonly status: Status
  readonly rates: ModelRoute['rates'] | null
  readonly contextTokens: number | null
  readonly source: { readonly type: 'route'; readonly route: ModelRoute } | { readonly type: 'connection'; readonly connection: Connection }
}

export type ModelKind = 'connection' | 'local' | 'hosted' | 'baseline'

export const kindWords: Readonly<Record<ModelKind, string>> = {
  connection: 'Connection',
  local: 'Local runtime',
  hosted: 'Hosted',
  baseline: 'Baseline, not a model',
}

export function connectionKey(id: string): string {
  return `connection:${id}`
}

/** What a reader can choose to have comes before what is always there. */
const rank: Readonly<Record<ModelRoute['kind'], number>> = { local: 0, hosted: 1, baseline: 2 }

/** Connections first, newest first, since those are the reader's own; disabled ones last. */
export function toModels(routes: readonly ModelRoute[], connections: readonly Connection[]): readonly Model[] {
  const [disabled, usable] = [connections.filter(isDisabled), connections.filter(connection => !isDisabled(connection))]
  const ranked = routes.toSorted((a, b) => rank[a.kind] - rank[b.kind])
  return [...usable.map(fromConnection), ...ranked.map(fromRoute), ...disabled.map(fromConnection)]
}

function isDisabled(connection: Connection): boolean {
  return connection.status === 'disabled'
}

function fromConnection(connection: Connection): Model {
  return {
    key: connectionKey(connection.id),
    title: connection.name,
    kind: 'connection',
    model: connection.model,
    where: connection.base_url,
    status: connectionStatus(connection),
    rates: connection.rates,
    contextTokens: connection.limits.context_tokens,
    source: { type: 'connection', connection },
  }
}

function fromRoute(route: ModelRoute): Model {
  return {
    key: `route:${route.route_id}`,
    title: route.title,
    kind: route.kind,
    model: route.model,
    where: route.provider,
    status: routeStatuses[route.availability.status],
    rates: route.rates,
    contextTokens: route.limits.context_tokens,
    source: { type: 'route', route },
  }
}

/** Whether every word of the search is in what the table shows of the model. */
export function matches(model: Model, q: string): boolean {
  const text = `${model.title} ${model.model} ${model.where} ${kindWords[model.kind]}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}
