import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging } from '../primitives.ts'
import { NetworkHost } from './network.schemas.ts'

export const networkEndpoints = endpoints({
  listNetworkHosts: {
    method: 'GET',
    path: '/v1/network-log',
    tag: 'Network log',
    summary: 'List servers contacted on behalf of the workspace',
    description: 'Counted since the workspace was created; delayed by a few seconds. Assay sends no telemetry.',
    scope: 'workspace:read',
    status: 200,
    kind: 'json',
    query: z.strictObject(paging()),
    response: page(NetworkHost),
    errors: ['invalid_cursor'],
  },
})
