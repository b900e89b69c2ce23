import type { RemoteAccess } from '../config.ts'

/** Addresses at which the service answers; known once it listens. */
export interface AccessPolicy {
  /** Each authority that a Host header may name, and the origin of pages that were loaded from it. */
  readonly origins: ReadonlyMap<string, string>
  /** For programs on this machine, which find it in `service.json`. */
  readonly baseUrl: string
  /** For people's browsers, which may be on another machine. */
  readonly publicUrl: string
  /** Whether the service itself serves on the port, and so is not a model server to connect to. */
  readonly port: number
}

/** The accessPolicy of a service that listens on the port, on this machine alone unless it is let out. */
export function accessPolicyOn(port: number, remote?: RemoteAccess): AccessPolicy {
  const local = localAuthority(port, remote?.host)
  const localOrigin = `http://${local}`
  if (!remote) return { origins: loopbackOrigins(port, 'http'), baseUrl: localOrigin, publicUrl: localOrigin, port }
  const publicUrl = new URL(remote.origin)
  const origins = new Map([...loopbackOrigins(port, remote.tls ? 'https' : 'http'), [publicUrl.host, publicUrl.origin]])
  // Behind a proxy, programs on this machine still speak plain HTTP; a certificate is for the public name alone.
  if (!remote.tls) origins.set(local, localOrigin)
  return { origins, baseUrl: remote.tls ? publicUrl.origin : localOrigin, publicUrl: publicUrl.origin, port }
}

function loopbackOrigins(port: number, scheme: 'http' | 'https'): Map<string, string> {
  return new Map([`127.0.0.1:${port}`, `localhost:${port}`].map(authority => [authority, `${scheme}://${authority}`]))
}

/** Where this machine reaches what listens on the address. */
function localAuthority(port: number, host = '127.0.0.1'): string {
  if (host === '0.0.0.0' || host === '::') return `127.0.0.1:${port}`
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
