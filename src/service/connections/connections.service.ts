import { isDeepStrictEqual } from 'node:util'
import type { ModelRoute, Rates } from '../../contract/catalog/models.schemas.ts'
import { connectionMachine } from '../../contract/connections/connection.machine.ts'
import {
  type Connection,
  type ConnectionBody,
  ConnectionLimits,
  type ConnectionUpdate,
  type EndpointLook,
  type EndpointModels,
  type PromptTrial,
  type PromptTrialResult,
} from '../../contract/connections/connections.schemas.ts'
import type { FoundRuntime } from '../../contract/connections/presets.schemas.ts'
import {
  type EndpointParameters,
  noRequestSettings,
  type RequestSettings,
  unknownParameters,
} from '../../contract/connections/request-settings.schemas.ts'
import { ApiError, requireFound } from '../../contract/errors.ts'
import { createAgentClient } from '../../engine/clients/agents/agent-client.ts'
import { createAddressPolicy } from '../../engine/clients/address-policy.ts'
import { classifyHost } from '../../engine/clients/addresses/classify-host.ts'
import type { BatchSettings } from '../../engine/clients/batches/batch-lane.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import { discoverRuntimes, usualPorts } from '../../engine/clients/discovery/discover-runtimes.ts'
import { askContext } from '../../engine/clients/discovery/ask-context.ts'
import { listModels } from '../../engine/clients/discovery/list-models.ts'
import { type MediaSource, openModelClient } from '../../engine/clients/open-model-client.ts'
import { tokenRates } from '../../engine/clients/pricing/pricing.ts'
import { definedOf } from '../../lib/defined-of.ts'
import { transition } from '../../storage/transition.ts'
import { requireLimitSetter } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { leastSpend, nobody, startWork } from '../spending/index.ts'
import type { Team } from '../workers/index.ts'
import { assertCertificates } from './assert-certificates.ts'
import { checkConnection, type Way } from './check-connection.ts'
import { agentFields, assertAddress, assertSettings, lookLimits, refuseForAgent } from './connection-rules.ts'
import { type ConnectionSecret, type GivenSecret, originOf, placeOf, replaceSecret, seal, unseal, valuesIn } from './connection-secret.ts'
import { credentialsOf, requireSameSecret } from './credentials-of.ts'
import { foundRuntimes, storeFoundRuntimes } from './found-runtimes.store.ts'
import { goneRoute } from './gone-route.ts'
import { localRouteRates, storeLocalRouteRates } from './local-route-rates.store.ts'
import { fileRoutes, free, type LocalRoutes, managedRoutes, type ReachableRoute } from './managed-routes.ts'
import { connectionPresets, refusesTemperature } from './presets.ts'
import { tryPrompt } from './try-prompt.ts'
import {
  findConnection,
  forgetSecret,
  insertConnection,
  listConnections,
  sealedSecrets,
  renameConnection,
  storeCheck,
  type StoredConnection,
  updateConnection,
  usableConnections,
} from './connections.store.ts'

const column = { table: 'connections', column: 'status' } as const

export interface Connections {
  list(workspaceId: string, query: { cursor?: string | undefined; limit: number }): { items: Connection[]; next_cursor: string | null }
  /** @throws ApiError human_approval_required, owner_session_required */
  create(asker: Asker, body: ConnectionBody): Promise<Connection>
  /** @throws ApiError human_approval_required, owner_session_required */
  update(asker: Asker, id: string, body: ConnectionUpdate): Promise<Connection>
  /** @throws ApiError spend_ceiling_reached: no limit counts the calls of a check */
  check(asker: Asker, id: string, signal: AbortSignal): Promise<Connection>
  /** The models that an endpoint lists, before it is a connection. */
  listEndpointModels(asker: Asker, look: EndpointLook, signal: AbortSignal): Promise<EndpointModels>
  /** @throws ApiError illegal_transition when it is disabled */
  tryPrompt(workspaceId: string, id: string, trial: PromptTrial, signal: AbortSignal): Promise<PromptTrialResult>
  disable(workspaceId: string, id: string): void
  /** Null when the workspace has no such connection. */
  find(workspaceId: string, id: string): Connection | null
  /**
   * A client that speaks to the endpoint, with its secret. The caller closes it.
   * @param frozen what a quote froze; absent: what the connection has now
   */
  open(workspaceId: string, id: string, frozen?: FrozenSettings, batch?: BatchSettings): Promise<ModelClient>
  /** Managed routes of this workspace beside the baselines. */
  routes(workspaceId: string): readonly ReachableRoute[]
  /** A client for such a route. The caller closes it. */
  openRoute(workspaceId: string, routeId: string, requestSettings?: RequestSettings): Promise<OpenedRoute>
  /** Model servers on this machine's usual ports, and on one more where it is named; their models are managed routes from then on. */
  discover(workspaceId: string, port: number | undefined, signal: AbortSignal): Promise<{ items: FoundRuntime[] }>
  /** Has a local route cost so much from the next quote on; null: nothing. @throws ApiError not_found */
  setLocalRates(workspaceId: string, routeId: string, rates: Rates | null): ModelRoute
  /** Key and headers of a connection and the only origin that they are for; null where it has none. @throws ApiError not_found */
  secretOf(workspaceId: string, id: string): Promise<{ readonly origin: string; readonly secret: ConnectionSecret } | null>
  /** Called with the id of a connection that was just disabled. */
  onDisabled(listener: (id: string) => void): void
}

/** Of a quote's model: absent ones were not there when it was made. */
export interface FrozenSettings extends Pick<Connection, 'rates'> {
  readonly request_settings?: RequestSettings | undefined
  readonly parameters?: EndpointParameters | undefined
}

export interface OpenedRoute {
  /** What runs share their limits by. */
  readonly endpoint: string
  readonly client: ModelClient
  readonly limits: ConnectionLimits
}

/** @param team whose workers may make the calls of a connection; null where all are made from this machine. Clients read `mediaOf` their workspace. */
export function createConnections(
  kernel: Kernel,
  network: NetworkLog,
  team: Pick<Team, 'client'> | null,
  mediaOf: (workspaceId: string) => MediaSource,
  localModels: LocalRoutes,
): Connections {
  const ownOrigin = () => `http://127.0.0.1:${kernel.accessPolicy().port}`
  const { db, clock, ids, host } = kernel
  const addressPolicy = () => createAddressPolicy({ ownOrigin: ownOrigin(), proxies: network.proxies() })
  const listeners: ((id: string) => void)[] = []

  const stored = (workspaceId: string, id: string): StoredConnection => requireFound(findConnection(db, workspaceId, id), 'connection', id)
  const presets = () => connectionPresets().presets
  const settingsFor = async (
    workspaceId: string,
    url: string,
    limits: ConnectionLimits,
    from: StoredConnection | null,
    byPerson: boolean,
    given: GivenSecret = {},
  ) => {
    const held = from?.secretOrigin === originOf(url) ? from.secret : null
    const { api_key, headers } = await replaceSecret(host.secrets, given, held, placeOf(workspaceId, from?.record.id ?? '', url))
    return {
      baseUrl: url,
      apiKey: api_key,
      headers,
      caCertificates: from !== null && originOf(from.record.base_url) === originOf(url) ? from.record.ca_certificates : null,
      attemptTimeoutMs: limits.attempt_timeout_ms,
      connections: limits.max_concurrency,
      // A name must not lead into a private network, unless a person gave it.
      addressPolicy: createAddressPolicy({
        ownOrigin: ownOrigin(),
        reach: byPerson || classifyHost(new URL(url).hostname).reach === 'loopback' ? 'anywhere' : 'public',
        proxies: network.proxies(),
      }),
      traffic: network.meterFor(workspaceId),
      media: mediaOf(workspaceId),
    }
  }
  const open = async (workspaceId: string, connection: StoredConnection, way: Way = {}): Promise<ModelClient> => {
    const { record } = connection
    const reached = await settingsFor(workspaceId, way.baseUrl ?? record.base_url, record.limits, connection, connection.byPerson)
    const settings = { ...reached, ...(way.media && { media: way.media }), ...(way.batch && { batch: way.batch }) }
    if (record.protocol === 'agent_to_agent') return createAgentClient({ ...settings, streaming: record.streaming })
    const { protocol, model, streaming } = record
    const { requestSettings = record.request_settings } = way
    const parameters = way.parameters ?? parametersOf(record)
    const local = openModelClient(protocol, { ...settings, model, streaming, requestSettings, parameters })
    // Batches are of this service: no other machine could give their answers back.
    if (way.batch) return local
    const endpoint = {
      connection_id: record.id,
      protocol,
      base_url: settings.baseUrl,
      model,
      streaming,
      timeout_ms: settings.attemptTimeoutMs,
      request_settings: requestSettings,
      ...(parameters ? { parameters } : {}),
      ca_certificates: settings.caCertificates,
    }
    return team ? team.client(workspaceId, endpoint, local, tokenRates(way.rates === undefined ? record.rates : way.rates)) : local
  }
  /** What is known of the model before any check. */
  const knownOf = (record: Connection): Partial<EndpointParameters> => (refusesTemperature(presets(), record) ? { temperature: false } : {})
  const parametersOf = (record: Connection): EndpointParameters | undefined => {
    const [learned, known] = [record.last_check?.parameters, knownOf(record)]
    return learned || Object.keys(known).length > 0 ? { ...unknownParameters, ...learned, ...known } : undefined
  }
  const routes = (workspaceId: string) => [
    ...fileRoutes(localModels, localRouteRates(db, workspaceId)),
    ...managedRoutes({
      presets: presets(),
      connections: usableConnections(db, workspaceId),
      found: foundRuntimes(db, workspaceId),
      localRates: localRouteRates(db, workspaceId),
    }),
  ]

  // Those that cannot be read are left out.
  kernel.secrets.add(async workspaceId => {
    const read = await Promise.allSettled(
      sealedSecrets(db, workspaceId).map(({ id, secret, baseUrl }) => unseal(host.secrets, secret, placeOf(workspaceId, id, baseUrl))),
    )
    return read.flatMap(one => (one.status === 'fulfilled' ? valuesIn(one.value) : []))
  })

  return {
    secretOf: async (workspaceId, id) => {
      const { secret, secretOrigin, record } = stored(workspaceId, id)
      if (secret === null || secretOrigin === null || secretOrigin !== originOf(record.base_url)) return null
      return { origin: secretOrigin, secret: await unseal(host.secrets, secret, placeOf(workspaceId, record.id, record.base_url)) }
    },
    list: (workspaceId, query) => listConnections(db, workspaceId, query),
    find: (workspaceId, id) => findConnection(db, workspaceId, id)?.record ?? null,
    open: (workspaceId, id, frozen, batch) =>
      open(workspaceId, stored(workspaceId, id), {
        ...(frozen && { requestSettings: frozen.request_settings ?? noRequestSettings, rates: frozen.rates }),
        ...(frozen?.parameters ? { parameters: frozen.parameters } : {}),
        ...(batch && { batch }),
      }),
    discover: async (workspaceId, port, signal) => {
      const way = { addressPolicy: addressPolicy(), traffic: network.meterFor(workspaceId) }
      const items = await discoverRuntimes(way, signal, port === undefined ? usualPorts : [...new Set([...usualPorts, port])])
      // A look that was broken off found nothing because it did not look.
      signal.throwIfAborted()
      storeFoundRuntimes(db, workspaceId, items, timestamp(clock))
      return { items }
    },
    routes,
    setLocalRates: (workspaceId, routeId, rates) => {
      const found = requireFound(
        routes(workspaceId).find(({ route }) => route.route_id === routeId && route.kind === 'local'),
        'local model route',
        routeId,
      )
      storeLocalRouteRates(db, workspaceId, routeId, rates, timestamp(clock))
      return { ...found.route, rates: rates ?? free }
    },
    openRoute: async (workspaceId, routeId, requestSettings) => {
      const found = routes(workspaceId).find(({ route }) => route.route_id === routeId)
      if (!found) return goneRoute(routeId)
      const { route, protocol, baseUrl: url, connectionId, limits, supportsTemperature, open } = found
      if (open) return { endpoint: route.route_id, client: open(), limits }
      if (protocol === 'gguf_file') throw new Error('A file is opened by a client of its own.')
      const holder = connectionId === null ? null : stored(workspaceId, connectionId)
      const settings = await settingsFor(workspaceId, url, limits, holder, holder?.byPerson ?? true)
      const parameters = supportsTemperature ? undefined : { ...unknownParameters, temperature: false }
      return {
        endpoint: connectionId === null ? `local:${url}` : endpointName(connectionId),
        client: openModelClient(protocol, { ...settings, model: route.model, streaming: false, requestSettings, parameters }),
        limits,
      }
    },
    onDisabled: listener => listeners.push(listener),

    create: async (asker, body) => {
      const workspaceId = asker.workspace.id
      const fields = body.kind === 'agent_to_agent' ? agentFields(body) : body
      assertAddress(fields.base_url, asker, ownOrigin(), body.kind === 'agent_to_agent' ? 'agent_card_url' : 'base_url')
      if (fields.rates !== null) requireLimitSetter(asker, 'createConnection.rates')
      assertSettings(fields)
      assertCertificates(fields.ca_certificates)
      const holder = body.credentials_from === undefined ? null : stored(workspaceId, body.credentials_from)
      const plain = await credentialsOf(body, holder, { box: host.secrets, workspaceId, url: fields.base_url })
      const id = ids.next()
      const sealed = await seal(host.secrets, plain, placeOf(workspaceId, id, fields.base_url))
      const row = { ...fields, ...sealed, byPerson: asker.principal.kind === 'session' }
      return db.transaction(() => {
        if (holder) requireSameSecret(holder, stored(workspaceId, holder.record.id), fields.base_url)
        insertConnection(db, id, workspaceId, body.kind, row, timestamp(clock))
        return stored(workspaceId, id).record
      })
    },

    update: async (asker, id, body) => {
      const workspaceId = asker.workspace.id
      const isPerson = asker.principal.kind === 'session'
      const before = stored(workspaceId, id)
      if (body.rates !== undefined && !isDeepStrictEqual(body.rates, before.record.rates))
        requireLimitSetter(asker, 'updateConnection.rates')
      const limits = ConnectionLimits.parse({ ...before.record.limits, ...body.limits })
      const changed = { ...before.record, ...definedOf(body), limits }
      const isMoved = changed.base_url !== before.record.base_url
      // A key could otherwise have calls made that cost more than the rates say, which were stated for others.
      const priced = ['model', 'protocol', 'request_settings'] as const
      const isOther =
        isMoved || body.headers !== undefined || priced.some(field => !isDeepStrictEqual(changed[field], before.record[field]))
      const next = isOther && !isPerson ? { ...changed, rates: null } : changed
      if (before.record.kind === 'agent_to_agent') refuseForAgent(body)
      if (isMoved || isPerson) assertAddress(next.base_url, asker, ownOrigin(), 'base_url')
      assertSettings(next)
      assertCertificates(next.ca_certificates)
      const sameOrigin = before.secretOrigin === originOf(next.base_url)
      const place = placeOf(workspaceId, before.record.id, next.base_url)
      const plain = await replaceSecret(host.secrets, body, sameOrigin ? before.secret : null, place)
      const sealed = await seal(host.secrets, plain, place)
      // A name is nothing that a check proves.
      const isRenamed = Object.keys(definedOf(body)).every(field => field === 'name')
      return db.transaction(() => {
        if (isRenamed && before.record.status !== 'disabled') {
          renameConnection(db, id, next.name, timestamp(clock))
          return stored(workspaceId, id).record
        }
        transition(db, connectionMachine, column, id, 'change', timestamp(clock))
        updateConnection(db, id, { ...next, ...sealed, byPerson: isPerson || (before.byPerson && !isMoved) }, timestamp(clock))
        return stored(workspaceId, id).record
      })
    },

    listEndpointModels: async (asker, { protocol, base_url, connection_id, ...given }, signal) => {
      const workspaceId = asker.workspace.id
      assertAddress(base_url, asker, ownOrigin(), 'base_url')
      const holder = connection_id === undefined ? null : stored(workspaceId, connection_id)
      const settings = await settingsFor(workspaceId, base_url, lookLimits, holder, asker.principal.kind === 'session', given)
      return listModels(protocol, settings, signal)
    },
    tryPrompt: async (workspaceId, id, trial, signal) => {
      const connection = stored(workspaceId, id)
      requireEnabled(connection.record, 'tried')
      const client = await open(workspaceId, connection)
      try {
        return await tryPrompt(client, trial, signal)
      } finally {
        await client.close()
      }
    },
    check: async ({ workspace: { id: workspaceId }, principal }, id, signal) => {
      const connection = stored(workspaceId, id)
      requireEnabled(connection.record, 'checked')
      const spend = leastSpend({ kind: 'connection', rates: connection.record.rates })
      startWork(db, principal.id, { workspaceId, scope: 'connections:write', spend, payerId: nobody }, timestamp(clock), () => {})
      const check = await checkConnection(connection.record, {
        open: way => open(workspaceId, connection, way),
        knownBaseUrls: presets().flatMap(({ base_url }) => (originOf(base_url) === originOf(connection.record.base_url) ? [base_url] : [])),
        askContext: async () => {
          const isPerson = principal.kind === 'session'
          const settings = await settingsFor(workspaceId, connection.record.base_url, lookLimits, connection, isPerson)
          return askContext(connection.record, settings, signal)
        },
        known: knownOf(connection.record),
        checkedAt: timestamp(clock),
        signal,
      })
      // Whoever asked has left: that says nothing about the endpoint.
      if (check.code === 'cancelled') return stored(workspaceId, id).record
      return db.transaction(() => {
        const now = stored(workspaceId, id).record
        if (now.updated_at !== connection.record.updated_at)
          throw new ApiError('conflict', 'The connection was changed while it was being checked. Check it again.')
        transition(db, connectionMachine, column, id, check.ok ? 'pass' : 'fail', timestamp(clock), check.code)
        storeCheck(db, id, check)
        return stored(workspaceId, id).record
      })
    },

    disable: (workspaceId, id) => {
      if (stored(workspaceId, id).record.status === 'disabled') return
      db.transaction(() => {
        transition(db, connectionMachine, column, id, 'disable', timestamp(clock))
        forgetSecret(db, id, timestamp(clock))
      })
      for (const listener of listeners) listener(id)
    },
  }
}

function requireEnabled({ id, status }: Connection, what: 'checked' | 'tried'): void {
  if (status === 'disabled')
    throw new ApiError('illegal_transition', `The connection "${id}" is disabled, so it cannot be ${what}. Create a new connection.`)
}

/** What runs on one connection share their limits by. */
export function endpointName(connectionId: string): string {
  return `connection:${connectionId}`
}
