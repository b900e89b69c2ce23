import { classifyHost } from './addresses/classify-host.ts'
import type { Proxies } from './http/proxies.ts'
import { isRefusedPort } from './addresses/refused-ports.ts'

/** Says why an address must not be called, as sentences for people; null lets the call pass. */
export interface AddressPolicy {
  /** Judges a base URL. What its name resolves to is judged on connecting. */
  refusal(url: URL): string | null
  /**
   * Judges a name or IP address with a port: asked about every address that a name resolves to, and about the other end of a socket once
   * connected, since a name may resolve differently each time.
   */
  hostRefusal(host: string, port: number): string | null
  /** Through which addresses that pass are called; absent: directly. */
  readonly proxies?: Proxies | undefined
}

export interface AddressPolicySettings {
  /** Where Assay itself listens, e.g. `http://127.0.0.1:4747`: a connection to itself would be a way around its own keys. */
  readonly ownOrigin: string | null
  /** `anywhere` for what a person created or approved: this machine and private networks too. `public` for everything else. */
  readonly reach?: 'anywhere' | 'public'
  readonly proxies?: Proxies | undefined
}

export function createAddressPolicy({ ownOrigin, reach = 'anywhere', proxies }: AddressPolicySettings): AddressPolicy {
  const ownUrl = ownOrigin === null ? null : URL.parse(ownOrigin)
  const ownPort = ownUrl && portOf(ownUrl)
  const hostRefusal = (host: string, port: number): string | null => {
    const found = classifyHost(host)
    if (found.reach === 'forbidden') return `${host} is ${found.what}. Assay never calls it.`
    if (isRefusedPort(port)) return `Port ${port} belongs to another kind of service. Assay never calls it.`
    if (found.reach === 'loopback' && port === ownPort)
      return `Port ${port} of this machine is Assay itself. Enter the address of another server.`
    if (reach === 'public' && found.reach !== 'public') {
      return `${host} is ${found.what}. Connections that no person created or approved may call public addresses only.`
    }
    return null
  }
  return { proxies, hostRefusal, refusal: url => formRefusal(url) ?? hostRefusal(url.hostname, portOf(url)) }
}

function formRefusal(url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `An address starts with http:// or https://, not with ${url.protocol}.`
  if (url.username !== '' || url.password !== '')
    return 'The address holds a user name or password. Store the key in the key field instead.'
  return url.hash === '' ? null : 'The address holds a fragment (#…), which no server ever sees. Remove it.'
}

/** The port that a URL leads to: its scheme's own where it names none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
