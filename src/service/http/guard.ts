import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import type { AccessPolicy } from './access-policy.ts'

/**
 * What must hold before anything looks at a request: a web page, from any origin, may not reach the service by way of the
 * user's browser (DNS rebinding, cross-site requests). Order and cases: hardening, sections 1.3 and 1.4.
 */
export function guard(request: IncomingMessage, origins: AccessPolicy['origins']): void {
  if (request.httpVersion !== '1.1') throw new ApiError('malformed_request', `HTTP/${request.httpVersion} is not served; use HTTP/1.1.`)
  const origin = originOf(request, origins)
  // Without TLS, traffic could be read in transit, so another machine comes by the proxy.
  if (origin.startsWith('http:') && !isOfThisMachine(request))
    throw new ApiError('misdirected_request', 'This service accepts plain HTTP from localhost only. Connect over HTTPS.')
  if (!request.url?.startsWith('/') || request.url.startsWith('//'))
    throw new ApiError('malformed_request', 'The request target must be a path.')
  checkFetchSite(request)
  checkOrigin(request, origin)
  if (request.method === 'OPTIONS')
    throw new ApiError('origin_forbidden', 'Other web pages may not use this service, so it answers no preflight.')
}

/** The origin that the one Host header names. @throws ApiError misdirected_request when it is none of ours */
export function originOf(request: IncomingMessage, origins: AccessPolicy['origins']): string {
  const hosts = request.headersDistinct['host'] ?? []
  if (hosts.length !== 1 || !hosts[0])
    throw new ApiError(
      'malformed_request',
      `Exactly one Host header is needed; ${hosts.length === 1 ? 'it is empty' : `${hosts.length} were sent`}.`,
    )
  // A final dot makes a name absolute and changes nothing else.
  const host = hosts[0].toLowerCase().replace(/^localhost\.:/, 'localhost:')
  const origin = origins.get(host)
  if (origin === undefined)
    throw new ApiError(
      'misdirected_request',
      `This service answers as ${[...origins.keys()].join(' or ')}, not as "${host.slice(0, 100)}".`,
    )
  return origin
}

function isOfThisMachine({ socket: { remoteAddress = '', localAddress } }: IncomingMessage): boolean {
  return remoteAddress === localAddress || /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)
}

/** Browsers say where a request comes from. `none` is a person who typed the address or opened a bookmark: that is for pages. */
function checkFetchSite(request: IncomingMessage): void {
  const sites = request.headersDistinct['sec-fetch-site'] ?? []
  if (sites.length > 1) throw new ApiError('malformed_request', 'More than one Sec-Fetch-Site header was sent.')
  const site = sites[0]
  const allowed =
    site === undefined ||
    site === 'same-origin' ||
    (site === 'none' && isPageRead(request)) ||
    (site === 'cross-site' && isArrival(request))
  if (!allowed) throw new ApiError('origin_forbidden', `Requests of other web pages are refused (Sec-Fetch-Site: ${site.slice(0, 40)}).`)
}

function checkOrigin(request: IncomingMessage, own: string): void {
  const origins = request.headersDistinct['origin'] ?? []
  if (origins.length > 1) throw new ApiError('origin_forbidden', 'More than one Origin header was sent.')
  const origin = origins[0]
  if (origin !== undefined && origin !== own) {
    throw new ApiError(
      'origin_forbidden',
      `Requests of the origin "${origin.slice(0, 100)}" are refused; only this workstation's own pages may send requests.`,
    )
  }
}

/**
 * Our start page in a window of its own, which holds no data and no frame shows: the file that `assay open` starts a browser with leads
 * there, and a browser takes a file for another site.
 */
function isArrival({ method, url, headersDistinct }: IncomingMessage): boolean {
  const isNavigation = headersDistinct['sec-fetch-mode']?.[0] === 'navigate' && headersDistinct['sec-fetch-dest']?.[0] === 'document'
  return method === 'GET' && url === '/' && isNavigation
}

function isPageRead(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !request.url?.startsWith('/v1/')
}
