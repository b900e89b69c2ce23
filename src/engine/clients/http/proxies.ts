import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { portOf } from '../address-policy.ts'
import { classifyHost } from '../addresses/classify-host.ts'

/** Proxies by the scheme of what is called, and what is called without. */
export interface Proxies {
  /** What says so. */
  readonly from: 'option' | 'setting' | 'environment'
  readonly http: URL | null
  readonly https: URL | null
  /** Names with all below them, addresses, ranges of addresses, each perhaps with a port; `*` is everything. */
  readonly except: readonly string[]
}

/**
 * The proxies of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in either case), or those of a setting instead.
 * @param setting address of a proxy for everything, or `none`; absent: what the environment says
 * @throws Error naming the variable or option that cannot be used
 */
export function readProxies(env: Readonly<Record<string, string | undefined>>, setting?: string): Proxies {
  const value = (name: string) => (env[name.toLowerCase()] ?? env[name] ?? '').trim()
  const except = value('NO_PROXY')
    .split(/[\s,]+/)
    .filter(one => one !== '')
  if (setting === 'none') return { from: 'option', http: null, https: null, except }
  if (setting !== undefined) {
    const proxy = chosenProxyUrl('--proxy', setting)
    return { from: 'option', http: proxy, https: proxy, except }
  }
  return {
    from: 'environment',
    http: proxyUrl('HTTP_PROXY', value('HTTP_PROXY')),
    https: proxyUrl('HTTPS_PROXY', value('HTTPS_PROXY')),
    except,
  }
}

/** @param name what people call the setting @throws Error naming it where it is not an address of an HTTP proxy */
export function proxyUrl(name: string, text: string): URL | null {
  if (text === '') return null
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') throw noProxy(name)
  return url
}

/** The same for what a person chooses: a bare word, such as a mistyped "none", is refused. An environment may be for other programs. */
export function chosenProxyUrl(name: string, text: string): URL | null {
  if (/^[^.:/]+$/.test(text)) throw noProxy(name)
  return proxyUrl(name, text)
}

const noProxy = (name: string) =>
  new Error(`${name} must be the address of an HTTP proxy such as http://proxy.example:3128. Other kinds are not supported.`)

/** The proxy for an address; null: none. What runs on this machine is never called through one. */
export function proxyFor(url: URL, { http, https, except }: Proxies): URL | null {
  const proxy = url.protocol === 'https:' ? https : http
  if (proxy === null || classifyHost(url.hostname).reach === 'loopback') return null
  return except.some(one => isExcepted(url, one.toLowerCase())) ? null : proxy
}

/** What people may see of a proxy: never its password. */
export const proxyOrigin = (proxy: URL): string => proxy.origin

function isExcepted(url: URL, entry: string): boolean {
  if (entry === '*') return true
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (entry.includes('/')) return isInRange(host, entry)
  const [, name = entry, port] = /^(?:\[(?=.*\]))?([^[\]]*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? []
  if (port !== undefined && Number(port) !== portOf(url)) return false
  const bare = name.replace(/^\*?\./, '')
  return bare !== '' && (host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`)))
}

function isInRange(host: string, range: string): boolean {
  if (isIP(host) === 0 || !ipaddr.isValidCIDR(range)) return false
  const [address, [base, bits]] = [ipaddr.parse(host), ipaddr.parseCIDR(range)]
  return address.kind() === base.kind() && address.match(base, bits)
}
