import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { ModelRoute, Rates } from '../catalog/models.schemas.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { ConnectionPresets, FoundRuntime } from './presets.schemas.ts'
import { Connection, ConnectionBody, ConnectionUpdate } from './connections.schemas.ts'

const tag = 'Connections'
const params = z.strictObject({ connection_id: Uuid })

export const connectionsEndpoints = endpoints({
  listConnections: {
    method: 'GET',
    path: '/v1/connections',
    tag,
    summary: 'List connections',
    scope: 'connections:read',
    status: 200,
    kind: 'json',
    query: z.strictObject(paging()),
    response: page(Connection),
    errors: ['invalid_cursor'],
  },
  createConnection: {
    method: 'POST',
    path: '/v1/connections',
    tag,
    summary: 'Register a provider endpoint',
    scope: 'connections:write',
    status: 201,
    kind: 'json',
    idempotent: 'stored',
    body: ConnectionBody,
    response: Connection,
    errors: ['unavailable'],
  },
  listConnectionPresets: {
    method: 'GET',
    path: '/v1/connections/presets',
    tag,
    summary: 'List connection presets of well-known vendors and runtimes',
    description: 'A table that ships with Assay, rates included. Makes no network request.',
    scope: 'connections:read',
    status: 200,
    kind: 'json',
    response: ConnectionPresets,
  },
  discoverRuntimes: {
    method: 'POST',
    path: '/v1/connections/discover',
    tag,
    summary: 'Detect model servers on this machine',
    description:
      'Probes the usual ports of 127.0.0.1 and ::1, and no other host. Creates no connection; models found are managed routes until the next detection.',
    scope: 'connections:write',
    status: 200,
    kind: 'json',
    query: z.strictObject({
      port: z.coerce.number().int().min(1).max(65535).optional().describe('Additional port on this machine to probe.'),
    }),
    response: z.strictObject({ items: z.array(FoundRuntime) }).meta({ id: 'FoundRuntimes' }),
  },
  setLocalRouteRates: {
    method: 'PUT',
    path: '/v1/connections/local-routes/rates',
    tag,
    summary: 'Set the rates of a local model route',
    description:
      'For owner sessions. Local routes are free until rates are set; from the next quote on, runs on the route charge the wallet. Useful for testing ceilings and caps without a vendor, or for accounting the cost of a machine. `rates: null` makes the route free again.',
    scope: 'connections:write',
    status: 200,
    kind: 'json',
    body: z.strictObject({ route_id: z.string().min(1).max(200), rates: Rates.nullable() }).meta({ id: 'LocalRouteRates' }),
    response: ModelRoute,
    errors: ['not_found', 'owner_session_required'],
  },
  updateConnection: {
    method: 'PATCH',
    path: '/v1/connections/{connection_id}',
    tag,
    summary: 'Change a connection',
    description: 'Requires a new check. A base URL of another origin clears the stored key and headers.',
    scope: 'connections:write',
    status: 200,
    kind: 'json',
    params,
    body: ConnectionUpdate,
    response: Connection,
    errors: ['not_found', 'illegal_transition'],
  },
  checkConnection: {
    method: 'POST',
    path: '/v1/connections/{connection_id}/check',
    tag,
    summary: 'Check a connection',
    description: 'Makes one small request, which the provider may bill. A failed check returns 200: see `last_check`.',
    scope: 'connections:write',
    status: 200,
    kind: 'json',
    params,
    response: Connection,
    errors: ['not_found', 'illegal_transition'],
  },
  disableConnection: {
    method: 'DELETE',
    path: '/v1/connections/{connection_id}',
    tag,
    summary: 'Disable a connection',
    description: 'Its stored key is deleted. Runs that use it stop; their results stay.',
    scope: 'connections:write',
    status: 200,
    kind: 'json',
    params,
    response: z.strictObject({ ok: z.literal(true) }).meta({ id: 'Ok' }),
    errors: ['not_found'],
  },
})
