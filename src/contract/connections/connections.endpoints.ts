import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { ModelRoute, Rates } from '../catalog/models.schemas.ts'
import { named, page, paging, Uuid } from '../primitives.ts'
import { ConnectionPresets, FoundRuntime } from './presets.schemas.ts'
import {
  Connection,
  ConnectionBody,
  ConnectionUpdate,
  EndpointLook,
  EndpointModels,
  PromptTrial,
  PromptTrialResult,
} from './connections.schemas.ts'

const params = z.strictObject({ connection_id: Uuid })

export const connectionsEndpoints = endpoints('Connections', {
  listConnections: {
    route: 'GET /v1/connections',
    summary: 'List connections',
    description: 'Endpoints of your own with the result of their last check. Secrets are never shown.',
    scope: 'connections:read',
    query: z.strictObject(paging()),
    response: page(Connection),
    errors: ['invalid_cursor'],
  },
  createConnection: {
    route: 'POST /v1/connections',
    summary: 'Register a provider endpoint',
    description:
      'A standard connection has `base_url` and `model`; an agent has `"kind": "agent_to_agent"` and `agent_card_url`. Check it before quoting. For another model of an endpoint, name its connection in `credentials_from`.',
    scope: 'connections:write',
    status: 201,
    idempotent: 'stored',
    body: ConnectionBody,
    response: Connection,
    errors: ['not_found', 'unavailable'],
  },
  listConnectionPresets: {
    route: 'GET /v1/connections/presets',
    summary: 'List connection presets of well-known vendors and runtimes',
    description: 'A table that ships with Assay, rates included. Makes no network request.',
    scope: 'connections:read',
    response: ConnectionPresets,
  },
  discoverRuntimes: {
    route: 'POST /v1/connections/discover',
    summary: 'Detect model servers on this machine',
    description:
      'Probes the usual ports of 127.0.0.1 and ::1, and no other host. Creates no connection; models found are managed routes until the next detection.',
    scope: 'connections:write',
    query: z.strictObject({
      port: z.coerce.number().int().min(1).max(65535).optional().describe('Additional port on this machine to probe.'),
    }),
    response: named('FoundRuntimes', { items: z.array(FoundRuntime) }),
  },
  listEndpointModels: {
    route: 'POST /v1/connections/endpoint-models',
    summary: 'List the models of an endpoint',
    description:
      'Asks the endpoint for its model list; makes no model call and creates no connection. An endpoint that lists none returns 200 with a `message`.',
    scope: 'connections:write',
    body: EndpointLook,
    response: EndpointModels,
    errors: ['not_found'],
  },
  setLocalRouteRates: {
    route: 'PUT /v1/connections/local-routes/rates',
    summary: 'Set the rates of a local model route',
    description:
      'For owner sessions. Local routes are free until rates are set; from the next quote on, runs on the route charge the wallet. Useful for testing spending limits without a vendor, or for accounting the cost of a machine. `rates: null` makes the route free again.',
    scope: 'connections:write',
    body: named('LocalRouteRates', { route_id: z.string().min(1).max(200), rates: Rates.nullable() }),
    response: ModelRoute,
    errors: ['not_found', 'owner_session_required'],
  },
  updateConnection: {
    route: 'PATCH /v1/connections/{connection_id}',
    summary: 'Change a connection',
    description: 'Requires a new check. A base URL of another origin clears the stored key and headers.',
    scope: 'connections:write',
    params,
    body: ConnectionUpdate,
    response: Connection,
    errors: ['illegal_transition'],
  },
  checkConnection: {
    route: 'POST /v1/connections/{connection_id}/check',
    summary: 'Check a connection',
    description:
      'Makes a small request, and more where the endpoint refuses a parameter or answers at another address; the provider may bill them. A failed check returns 200: see `last_check`.',
    scope: 'connections:write',
    params,
    response: Connection,
    errors: ['illegal_transition'],
  },
  tryConnection: {
    route: 'POST /v1/connections/{connection_id}/try',
    summary: 'Try one prompt',
    description:
      'Makes one model call, which the provider may bill, and returns its answer. For people who are signed in. Nothing is stored or scored. A failed call returns 200 with `ok: false`.',
    scope: 'connections:write',
    params,
    body: PromptTrial,
    response: PromptTrialResult,
    errors: ['illegal_transition', 'owner_session_required'],
  },
  disableConnection: {
    route: 'DELETE /v1/connections/{connection_id}',
    summary: 'Disable a connection',
    description: 'Its stored key is deleted. Runs that use it stop; their results stay.',
    scope: 'connections:write',
    params,
    response: named('Ok', { ok: z.literal(true) }),
  },
})
