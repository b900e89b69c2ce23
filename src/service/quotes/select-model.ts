import type { Effort, ModelRoute } from '../../contract/catalog/models.schemas.ts'
import type { Connection, ConnectionCheck } from '../../contract/connections/connections.schemas.ts'
import { describeRequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import { ApiError, notFound } from '../../contract/errors.ts'
import type { ModelSnapshot, QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import type { SpokenProtocol } from '../../engine/clients/wire/sent-parts.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { Connections, ReachableRoute } from '../connections/index.ts'

/** The chosen model, frozen, with what the compatibility checks ask about it. */
export interface SelectedModel {
  readonly snapshot: ModelSnapshot
  readonly capabilities: readonly string[]
  /** Reasoning efforts that it may be asked for. */
  readonly efforts: readonly Effort[]
  readonly contextTokens: number | null
  /** As the server said when it was checked. */
  readonly servedContextTokens: number | null
  /** The last check of its connection, with the capabilities that it tested; null where there is none. */
  readonly tested: Pick<ConnectionCheck, 'checked_at' | 'capabilities'> | null
  /** The model thought before it answered its check. */
  readonly reasons: boolean
  readonly maxOutputTokens: number | null
  /** Protocol of its endpoint; null for what is called on no endpoint. */
  readonly protocol: SpokenProtocol | null
  /** Tokens per second on this machine, null until they were measured; absent where they are not. */
  readonly speed?: ReachableRoute['speed']
  /** Null when it can be called now; otherwise why not. */
  readonly unavailable: string | null
}

export function selectModel(choice: QuoteRequest['model'], workspaceId: string, catalog: Catalog, connections: Connections): SelectedModel {
  const model = findModel(choice, workspaceId, catalog, connections)
  if (model) return model
  throw choice.kind === 'managed' ? unknownRoute(choice.route_id) : notFound('connection', choice.connection_id)
}

/** Null when the workspace has no such route or connection. */
export function findModel(
  choice: QuoteRequest['model'],
  workspaceId: string,
  catalog: Catalog,
  connections: Connections,
): SelectedModel | null {
  if (choice.kind === 'managed') {
    const route = catalog.route(workspaceId, choice.route_id)
    return (
      route &&
      fromRoute(
        route,
        connections.routes(workspaceId).find(({ route: one }) => one.route_id === route.route_id),
      )
    )
  }
  const connection = connections.find(workspaceId, choice.connection_id)
  return connection && fromConnection(connection)
}

/** For a route that the catalog does not have now. */
export function unknownRoute(id: string): ApiError {
  const msg = `there is no model route "${id.slice(0, 100)}"; GET /v1/catalog/models lists them`
  return new ApiError('validation_error', `model.route_id: ${msg}`, {
    detail: [{ loc: ['body', 'model', 'route_id'], msg, type: 'unknown_route' }],
  })
}

function fromRoute(route: ModelRoute, reached: ReachableRoute | undefined): SelectedModel {
  return {
    snapshot: {
      kind: 'managed',
      route_id: route.route_id,
      connection_id: null,
      title: route.title,
      provider: route.provider,
      model: route.model,
      is_model: route.is_model,
      origin: null,
      streaming: false,
      rates: route.rates,
    },
    capabilities: route.capabilities,
    efforts: route.efforts,
    contextTokens: route.limits.context_tokens,
    servedContextTokens: null,
    tested: null,
    reasons: false,
    maxOutputTokens: route.limits.max_output_tokens,
    protocol: reached?.protocol ?? null,
    ...(reached?.speed && { speed: reached.speed }),
    unavailable: route.availability.status === 'ready' ? null : route.availability.reasons.join(' '),
  }
}

function fromConnection(connection: Connection): SelectedModel {
  const { origin, host } = new URL(connection.base_url)
  return {
    snapshot: {
      kind: 'connection',
      route_id: null,
      connection_id: connection.id,
      title: connection.name,
      provider: host,
      model: connection.model,
      is_model: true,
      origin,
      streaming: connection.streaming,
      ...(describeRequestSettings(connection.request_settings).length > 0 ? { request_settings: connection.request_settings } : {}),
      ...(connection.last_check?.parameters ? { parameters: connection.last_check.parameters } : {}),
      rates: connection.rates,
    },
    capabilities: connection.capabilities,
    efforts: connection.efforts,
    contextTokens: connection.limits.context_tokens,
    servedContextTokens: connection.last_check?.context_tokens ?? null,
    tested: connection.last_check,
    reasons: connection.last_check?.reasons === true,
    maxOutputTokens: connection.limits.max_output_tokens,
    protocol: connection.protocol,
    unavailable: connection.status === 'ready' && connection.capabilities.includes('chat') ? null : whyNotReady(connection),
  }
}

function whyNotReady(connection: Connection): string {
  if (!connection.capabilities.includes('chat'))
    return `The connection "${connection.name}" returns embeddings, not answers. Choose a model that chats.`
  if (connection.status === 'disabled') return `The connection "${connection.name}" is disabled. Choose another model.`
  if (connection.status === 'unchecked')
    return `The connection "${connection.name}" has not been checked since it was last changed. Check it first.`
  return `The last check of the connection "${connection.name}" failed: ${connection.last_check?.message ?? 'no detail'}`
}
