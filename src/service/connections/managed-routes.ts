import { z } from 'zod'
import { type ModelRoute, Rates } from '../../contract/catalog/models.schemas.ts'
import { type Connection, ConnectionLimits, type ConnectionProtocol } from '../../contract/connections/connections.schemas.ts'
import type { ConnectionPreset, FoundRuntime } from '../../contract/connections/presets.schemas.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import { effortsOf } from '../../engine/clients/efforts.ts'
import { originOf } from './connection-secret.ts'
import type { LocalModelsService, LocalRoute } from '../local-models/index.ts'

/** The rates of a model that has other fields too. */
const RatesOf = z.object(Rates.shape)

/** What a model of this machine costs unless its owner says otherwise. */
export const free: Rates = { input_microusd_per_million: '0', output_microusd_per_million: '0' }
/** Max concurrent calls to a model server on this machine. */
const localConcurrency = 4
/** As many characters as a quote takes. */
const longestId = 200

/** A managed route and where its calls go. */
export interface ReachableRoute {
  readonly route: ModelRoute
  readonly protocol: ConnectionProtocol | 'gguf_file'
  readonly baseUrl: string
  /** Whose key is sent and whose limits hold; null for what is on this machine. */
  readonly connectionId: string | null
  readonly limits: ConnectionLimits
  readonly supportsTemperature: boolean
  /** Opens what is not a server but a file of this machine; absent where calls go to the base URL. */
  readonly open?: () => ModelClient
  /** Tokens per second of such a file, null while they are being measured; absent for all else. */
  readonly speed?: LocalRoute['speed']
}

export interface RouteSources {
  readonly presets: readonly ConnectionPreset[]
  readonly connections: readonly Connection[]
  readonly found: readonly { readonly runtime: FoundRuntime; readonly foundAt: string }[]
  /** What an owner has local routes cost, by route id. */
  readonly localRates: ReadonlyMap<string, Rates>
}

/** Routes beside the baselines: the models of vendors whose key is stored, and of model servers that were found on this machine. Pure. */
export function managedRoutes({ presets, connections, found, localRates }: RouteSources): ReachableRoute[] {
  const hosted = presets.flatMap(preset => {
    const holder = preset.place === 'hosted' ? keyHolder(preset, connections) : null
    return holder ? preset.models.map(model => hostedRoute(preset, model, holder)) : []
  })
  return [...hosted, ...found.flatMap(one => localRoutes(one, localRates))].filter(({ route }) => route.route_id.length <= longestId)
}

/** The connection that lends its key: one that was proved if there is one, the newest of equals. */
function keyHolder({ base_url }: ConnectionPreset, connections: readonly Connection[]): Connection | null {
  const rank = ['ready', 'unchecked', 'failing']
  const able = connections.filter(
    ({ status, has_api_key, kind, base_url: own }) =>
      kind === 'openai_compatible' && status !== 'disabled' && has_api_key && originOf(own) === originOf(base_url),
  )
  return able.toSorted((a, b) => rank.indexOf(a.status) - rank.indexOf(b.status) || (a.id < b.id ? 1 : -1))[0] ?? null
}

function hostedRoute(preset: ConnectionPreset, model: ConnectionPreset['models'][number], holder: Connection): ReachableRoute {
  const { provider, protocol, title } = preset
  return {
    protocol,
    baseUrl: preset.base_url,
    connectionId: holder.id,
    supportsTemperature: model.supports_temperature,
    limits: holder.limits,
    route: {
      route_id: `${provider}/${model.model}`,
      title: model.model,
      provider,
      model: model.model,
      kind: 'hosted',
      is_model: true,
      summary: `${title}, with the key of the connection “${holder.name}”. ${model.note ? `${model.note} ` : ''}Rates ${describeSource(model)}${model.cache_source ? `; cache rates ${describeSource(model.cache_source)}` : ''}`,
      capabilities: ['chat'],
      rates: RatesOf.parse(model),
      efforts: model.efforts ?? [...effortsOf[protocol]],
      limits: {
        context_tokens: model.context_tokens,
        max_output_tokens: model.max_output_tokens,
        max_concurrency: holder.limits.max_concurrency,
        requests_per_minute: holder.limits.requests_per_minute,
        tokens_per_minute: holder.limits.tokens_per_minute,
      },
      availability: availabilityBy(holder),
    },
  }
}

function describeSource({ source, source_date: date, read }: NonNullable<ConnectionPreset['models'][number]['cache_source']>): string {
  return `${date === null ? `read on ${read}` : `of ${date}`}, from ${source}`
}

function availabilityBy({ status, name, last_check }: Connection): ModelRoute['availability'] {
  if (status === 'ready') return { status: 'ready', reasons: [] }
  const reason =
    status === 'unchecked'
      ? `The key of the connection “${name}” has not been checked yet. Check the connection first.`
      : `The last check of the connection “${name}” failed: ${last_check?.message ?? 'no detail'}`
  return { status: 'unavailable', reasons: [reason] }
}

/** A model that leaves this machine has an unknown price, so that it is not a free route: it can be registered as a connection. */
function localRoutes({ runtime, foundAt }: RouteSources['found'][number], stated: RouteSources['localRates']): ReachableRoute[] {
  const { title, protocol, base_url: baseUrl, needs_key: needsKey, models } = runtime
  if (needsKey) return []
  const limits = ConnectionLimits.parse({ max_concurrency: localConcurrency })
  return models
    .filter(({ leaves_machine: leaves }) => !leaves)
    .map(({ model, context_tokens }) => ({ model, context_tokens, route_id: `local/${new URL(baseUrl).host}/${model}` }))
    .map(({ model, context_tokens, route_id }) => ({
      protocol,
      baseUrl,
      connectionId: null,
      supportsTemperature: true,
      limits,
      route: {
        route_id,
        title: model,
        provider: title,
        model,
        kind: 'local' as const,
        is_model: true,
        summary: `${title} on this machine at ${baseUrl}, found on ${foundAt.slice(0, 10)}.`,
        capabilities: ['chat'],
        rates: stated.get(route_id) ?? free,
        efforts: [...effortsOf[protocol]],
        limits: {
          context_tokens,
          max_output_tokens: null,
          max_concurrency: localConcurrency,
          requests_per_minute: null,
          tokens_per_minute: null,
        },
        availability: { status: 'ready' as const, reasons: [] },
      },
    }))
}

/** Models of files on this machine. */
export type LocalRoutes = Pick<LocalModelsService, 'routes'>

export function fileRoutes(models: LocalRoutes, rates: ReadonlyMap<string, Rates>): ReachableRoute[] {
  return models.routes().map(({ route, cacheName, limits, speed, open }) => ({
    route: { ...route, rates: rates.get(route.route_id) ?? route.rates },
    protocol: 'gguf_file',
    baseUrl: cacheName,
    connectionId: null,
    limits,
    supportsTemperature: true,
    open,
    speed,
  }))
}
