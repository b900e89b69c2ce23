import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'
import { type AddressPolicy, portOf } from '../address-policy.ts'
import { createConnector } from './connector.ts'
import { proxyFor, proxyOrigin } from './proxies.ts'
import { proxyAuthorization } from './tunnel.ts'

export interface PoolSettings {
  readonly addressPolicy: AddressPolicy
  /** Most sockets at a time; further calls wait. */
  readonly connections: number
  /** Milliseconds; 0: no limit of its own. */
  readonly headersTimeout: number
  readonly bodyTimeout: number
  readonly connectTimeoutMs?: number | undefined
  readonly lookup?: LookupFunction | undefined
  /** Authorities in PEM form that are trusted beside those of the system; null: none. */
  readonly caCertificates?: string | null | undefined
}

/** Sockets to one server, opened by the address policy and through its proxy where there is one. */
export interface OriginPool extends Pick<Dispatcher, 'dispatch'> {
  /** Scheme, host and port of the server. */
  readonly origin: string
  /** Scheme, host and port of the proxy between; null: none. */
  readonly proxy: string | null
  destroy(): Promise<void>
}

export function openPool(
  url: URL,
  { addressPolicy, lookup, caCertificates = null, connectTimeoutMs, ...limits }: PoolSettings,
): OriginPool {
  const proxy = addressPolicy.proxies ? proxyFor(url, addressPolicy.proxies) : null
  const pool = new Pool(url.origin, {
    ...limits,
    connect: createConnector({
      policy: addressPolicy,
      port: portOf(url),
      proxy,
      caCertificates,
      connectTimeoutMs,
      ...(lookup ? { lookup } : {}),
    }),
  })
  // Plain HTTP is not tunneled: the proxy is told the whole address, which most let through for no other port than 443 otherwise.
  const forwarded = proxy !== null && url.protocol === 'http:' ? proxyAuthorization(proxy) : null
  return {
    origin: url.origin,
    proxy: proxy === null ? null : proxyOrigin(proxy),
    dispatch: (request, handler) =>
      pool.dispatch(
        forwarded === null
          ? request
          : { ...request, path: `${url.origin}${request.path}`, headers: { ...headersOf(request), ...forwarded } },
        handler,
      ),
    destroy: () => pool.destroy(),
  }
}

/** Requests of this program state their headers as an object. */
function headersOf({ headers }: Dispatcher.DispatchOptions): Record<string, string | string[] | undefined> {
  if (headers === null || headers === undefined) return {}
  if (Array.isArray(headers) || Symbol.iterator in headers) throw new Error('The headers of a request must be an object.')
  return headers
}
