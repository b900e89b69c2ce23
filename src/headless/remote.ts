import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { RemoteAccess } from '../service/config.ts'

/** The options that say who may reach the service, as they were given. */
export interface ReachOptions {
  readonly host?: string | undefined
  readonly 'allow-remote': boolean
  readonly origin?: string | undefined
  readonly 'tls-cert'?: string | undefined
  readonly 'tls-key'?: string | undefined
  readonly 'behind-proxy'?: string | undefined
}

const usualHost = '127.0.0.1'

/**
 * Who may reach the service: this machine alone (null) unless the user says in so many words that others may, and how what they send is
 * kept from listeners.
 * @throws Error naming the option that is wrong or missing
 */
export function readReach(options: ReachOptions): RemoteAccess | null {
  const host = canonical(options.host ?? usualHost)
  if (host === null)
    throw new Error(
      `--host takes an IP address written out in full, such as 192.168.1.5, not "${options.host}". Leave it out to serve this machine alone.`,
    )
  const proxy = options['behind-proxy']
  const [cert, key] = [options['tls-cert'], options['tls-key']]
  const asked = [proxy, cert, key, options.origin].some(option => option !== undefined)
  if (host === usualHost && !asked) {
    if (options['allow-remote']) throw new Error(`--allow-remote alone changes nothing. ${how}`)
    return null
  }
  if (!options['allow-remote'])
    throw new Error(`Without --allow-remote nothing but 127.0.0.1 is served. With it, other machines may reach Assay. ${how}`)
  if (proxy !== undefined) {
    if (cert !== undefined || key !== undefined || options.origin !== undefined)
      throw new Error('Give either --behind-proxy ORIGIN or --tls-cert, --tls-key and --origin, not both.')
    return { host, origin: readOrigin('--behind-proxy', proxy), tls: null }
  }
  if (cert === undefined || key === undefined || options.origin === undefined)
    throw new Error(`Without TLS or a reverse proxy everybody on the network could read keys as they pass. ${how}`)
  return {
    host,
    origin: readOrigin('--origin', options.origin),
    tls: { cert: readPem('--tls-cert', cert), key: readPem('--tls-key', key) },
  }
}

const how =
  'Add --tls-cert FILE, --tls-key FILE and --origin https://NAME:PORT, or put a reverse proxy with TLS before it and name its address with --behind-proxy https://NAME.'

/** The address as Node writes it; null where it is not one, or one of the other ways to write an IPv4 address. */
function canonical(host: string): string | null {
  const family = isIP(host)
  if (family === 4) return host
  const name = family === 6 ? (URL.parse(`http://[${host}]`)?.hostname.slice(1, -1) ?? null) : null
  return name?.startsWith('::ffff:') ? null : name
}

function readOrigin(option: string, text: string): string {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '' || `${url.origin}/` !== url.href)
    throw new Error(`${option} takes https://NAME or https://NAME:PORT, and nothing after it, not "${text}".`)
  return url.origin
}

function readPem(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(
      `${option}: ${path} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : String(error)}).`,
      {
        cause: error,
      },
    )
  }
}
