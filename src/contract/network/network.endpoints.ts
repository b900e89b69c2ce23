import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging } from '../primitives.ts'
import { NetworkHost } from './network.schemas.ts'
import { ProxyBody, ProxySetting } from './proxy.schemas.ts'

export const networkEndpoints = endpoints('Network log', {
  listNetworkHosts: {
    route: 'GET /v1/network-log',
    summary: 'List servers contacted on behalf of the workspace',
    description: 'Counted since the workspace was created; delayed by a few seconds. Assay sends no telemetry.',
    scope: 'workspace:read',
    query: z.strictObject(paging()),
    response: page(NetworkHost),
    errors: ['invalid_cursor'],
  },
  getProxy: {
    route: 'GET /v1/network-proxy',
    summary: 'Read through which proxy servers are called',
    description: 'Holds for every workspace of this service. Workers on other machines use their own environment.',
    scope: 'workspace:read',
    response: ProxySetting,
  },
  setProxy: {
    route: 'PUT /v1/network-proxy',
    summary: 'Set through which proxy servers are called',
    description:
      'For this machine’s owner and the key in service.json. Holds from the next call on. The rules for addresses are checked before the proxy. Passwords are not stored: a proxy that requires one is set with HTTPS_PROXY or --proxy.',
    scope: 'workspace:write',
    body: ProxyBody,
    response: ProxySetting,
    errors: ['owner_session_required'],
  },
})
