import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging } from '../primitives.ts'
import { NetworkHost } from './network.schemas.ts'
import { ProxyBody, ProxySetting } from './proxy.schemas.ts'

const tag = 'Network log'

export const networkEndpoints = endpoints({
  listNetworkHosts: {
    method: 'GET',
    path: '/v1/network-log',
    tag,
    summary: 'List servers contacted on behalf of the workspace',
    description: 'Counted since the workspace was created; delayed by a few seconds. Assay sends no telemetry.',
    scope: 'workspace:read',
    status: 200,
    kind: 'json',
    query: z.strictObject(paging()),
    response: page(NetworkHost),
    errors: ['invalid_cursor'],
  },
  getProxy: {
    method: 'GET',
    path: '/v1/network-proxy',
    tag,
    summary: 'Read through which proxy servers are called',
    description: 'Holds for every workspace of this service. Workers on other machines use their own environment.',
    scope: 'workspace:read',
    status: 200,
    kind: 'json',
    response: ProxySetting,
  },
  setProxy: {
    method: 'PUT',
    path: '/v1/network-proxy',
    tag,
    summary: 'Set through which proxy servers are called',
    description:
      'For this machine’s owner and the key in service.json. Holds from the next call on. The rules for addresses are checked before the proxy. Passwords are not stored: a proxy that requires one is set with HTTPS_PROXY or --proxy.',
    scope: 'workspace:write',
    status: 200,
    kind: 'json',
    body: ProxyBody,
    response: ProxySetting,
    errors: ['owner_session_required'],
  },
})
