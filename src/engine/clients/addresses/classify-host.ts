import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * How far away a host is. `loopback`: this machine. `private`: a private network, unreachable from the internet. `shared`: private too,
 * but in a range shared with other customers or easily mistaken for a public one. `forbidden`: never called.
 */
export type Reach = 'public' | 'loopback' | 'private' | 'shared' | 'forbidden'

export interface HostClass {
  readonly reach: Reach
  /** What it is, to follow "is": e.g. `a multicast address`. */
  readonly what: string
}

const publicHost: HostClass = { reach: 'public', what: 'a public address' }
/** Whatever else is registered for a special use: reserved, benchmarking, documentation, discarding, relays that are no more. */
const otherHost: HostClass = { reach: 'forbidden', what: 'an address set aside for special use' }
const metadata: HostClass = { reach: 'forbidden', what: 'a service that hands out the machine’s own cloud credentials' }

const ipv4Classes: Readonly<Partial<Record<ReturnType<ipaddr.IPv4['range']>, HostClass>>> = {
  unicast: publicHost,
  loopback: { reach: 'loopback', what: 'this machine' },
  private: { reach: 'private', what: 'an address of a private network' },
  carrierGradeNat: { reach: 'shared', what: 'an address of a carrier’s shared network' },
  linkLocal: { reach: 'forbidden', what: 'a link-local address, where clouds keep their credentials' },
  unspecified: { reach: 'forbidden', what: 'the unspecified address' },
  multicast: { reach: 'forbidden', what: 'a multicast address' },
  broadcast: { reach: 'forbidden', what: 'the broadcast address' },
}

const ipv6Classes: Readonly<Partial<Record<ReturnType<ipaddr.IPv6['range']>, HostClass>>> = {
  unicast: publicHost,
  loopback: { reach: 'loopback', what: 'this machine' },
  uniqueLocal: { reach: 'shared', what: 'a unique local address of a private network' },
  linkLocal: { reach: 'forbidden', what: 'a link-local address' },
  unspecified: { reach: 'forbidden', what: 'the unspecified address' },
  multicast: { reach: 'forbidden', what: 'a multicast address' },
  teredo: { reach: 'forbidden', what: 'a Teredo tunnel, which hides the real address' },
}

/** Metadata services outside the link-local range: Azure, Alibaba, Oracle, AWS, Google, Oracle again. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
])

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

/** How a container reaches the machine it runs on. */
const containerHosts: ReadonlySet<string> = new Set(['host.docker.internal', 'gateway.docker.internal', 'host.containers.internal'])

const privateSuffix = /\.(?:local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/

/** @param host IP address or name as `URL.hostname` or a socket gives it; IPv6 with or without brackets. */
export function classifyHost(host: string): HostClass {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  return isIP(bare) === 0 ? classifyName(bare) : classifyAddress(ipaddr.parse(bare))
}

function classifyName(name: string): HostClass {
  if (metadataNames.has(name)) return metadata
  if (name === 'localhost' || name.endsWith('.localhost')) return { reach: 'loopback', what: 'this machine' }
  if (containerHosts.has(name)) return { reach: 'loopback', what: 'the machine around this container' }
  if (!name.includes('.') || privateSuffix.test(name)) return { reach: 'private', what: 'a name of a private network' }
  return publicHost
}

function classifyAddress(address: ipaddr.IPv4 | ipaddr.IPv6): HostClass {
  if (metadataAddresses.has(address.toString())) return metadata
  if (address instanceof ipaddr.IPv4) return ipv4Classes[address.range()] ?? otherHost
  if (address.isIPv4MappedAddress()) return classifyAddress(address.toIPv4Address())
  const tunnel = tunnelled(address)
  if (tunnel === null) return ipv6Classes[address.range()] ?? otherHost
  const inner = tunnel.inner === null ? null : classifyAddress(tunnel.inner)
  return inner?.reach === 'public' ? publicHost : { reach: 'forbidden', what: `${tunnel.what} that leads to an inner address` }
}

/** The IPv4 address embedded in a translated or tunneled IPv6 address; `inner` is null where only the local network knows it. */
function tunnelled(address: ipaddr.IPv6): { what: string; inner: ipaddr.IPv4 | null } | null {
  const bytes = address.toByteArray()
  const range = address.range()
  if (range === '6to4') return { what: 'a 6to4 address', inner: new ipaddr.IPv4(bytes.slice(2, 6)) }
  if (range === 'rfc6145') return { what: 'a translated address', inner: new ipaddr.IPv4(bytes.slice(12)) }
  // Only 64:ff9b::/96 has the address in fixed place (RFC 6052); 64:ff9b:1::/48 is for each network to define (RFC 8215).
  if (range === 'rfc6052') return { what: 'a NAT64 address', inner: address.parts[2] === 0 ? new ipaddr.IPv4(bytes.slice(12)) : null }
  const oldCompatible = range === 'unicast' && bytes.slice(0, 12).every(byte => byte === 0)
  return oldCompatible ? { what: 'an IPv4-compatible address', inner: null } : null
}
