import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import { callbackify } from 'node:util'
import buildConnector from 'undici/lib/core/connect.js'
import errors from 'undici/lib/core/errors.js'
import type { AddressPolicy } from '../address-policy.ts'
import { classifyHost } from '../addresses/classify-host.ts'
import { connectToProxy, openTunnel } from './tunnel.ts'

/** A server that is there answers a handshake long before. */
const defaultConnectTimeoutMs = 10_000

/** The address policy refused a host, one of its addresses, or the machine that answered. Its message is for people. */
export class AddressRefusedError extends Error {}

/** Errors of sockets that had brought an answer before. */
const reusedSocketErrors = new WeakSet<Error>()

/**
 * Whether a socket failed that had worked before: the server may have closed it, for idleness, in the very moment of its next use, which says
 * nothing about the server's health.
 */
export function failedWhileReused(error: Error): boolean {
  return reusedSocketErrors.has(error) || (error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0)
}

export interface ConnectorSettings {
  readonly policy: AddressPolicy
  /** Port of the one server that this connector is for. */
  readonly port: number
  readonly lookup?: LookupFunction
  /** Authorities in PEM form that are trusted beside those of the system; null: none. */
  readonly caCertificates?: string | null
  /** Goes between this machine and the server; null: nothing does. */
  readonly proxy?: URL | null
  /** For name, TCP and TLS together. */
  readonly connectTimeoutMs?: number | undefined
}

/**
 * Opens sockets only to addresses that the policy lets pass: asked about the host, every address it resolves to, and the peer once connected.
 * No byte of a request is written before the last check.
 */
export function createConnector({
  policy,
  port,
  lookup = systemLookup,
  caCertificates = null,
  proxy = null,
  connectTimeoutMs = defaultConnectTimeoutMs,
}: ConnectorSettings): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: checkedLookup(policy, port, lookup),
    ...(caCertificates === null ? {} : { ca: [...getCACertificates('default'), caCertificates] }),
  })
  const watched = (socket: Socket, callback: buildConnector.Callback) => {
    socket.on('error', cause => {
      if (socket.bytesRead > 0) reusedSocketErrors.add(cause)
    })
    callback(null, socket)
  }
  const openByProxy = callbackify(async (by: URL, options: buildConnector.Options): Promise<Socket> => {
    await checkBeforeProxy(options.hostname, port, policy, lookup)
    if (options.protocol !== 'https:') return connectToProxy(by)
    const httpSocket = await openTunnel(by, options.hostname, port)
    return new Promise((resolve, reject) => {
      connect({ ...options, httpSocket }, (error, secured) => (error ? reject(error) : resolve(secured)))
    })
  })
  return (options, callback) => {
    // The resolver is not asked about IP literals, so they are checked here.
    const refusal = policy.hostRefusal(options.hostname, port)
    if (refusal !== null) {
      callback(new AddressRefusedError(refusal), null)
      return
    }
    if (proxy !== null) {
      openByProxy(proxy, options, (error, socket) => {
        if (error) callback(error, null)
        else watched(socket, callback)
      })
      return
    }
    connect(options, (error, socket) => {
      if (error) {
        callback(error, null)
        return
      }
      const fault = peerFault(socket.remoteAddress, policy, port)
      if (fault) {
        socket.destroy()
        callback(fault, null)
        return
      }
      watched(socket, callback)
    })
  }
}

/** A name that only the proxy's network knows is left to the proxy; what this machine can resolve is judged as without one. */
async function checkBeforeProxy(host: string, port: number, policy: AddressPolicy, lookup: LookupFunction): Promise<void> {
  if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return
  const found = await new Promise<string[]>(resolve => {
    lookup(host, { all: true }, (error, addresses) => {
      resolve(error || typeof addresses === 'string' ? [] : addresses.map(({ address }) => address))
    })
  })
  const refusal = found.map(address => policy.hostRefusal(address, port)).find(reason => reason !== null)
  if (refusal != null) throw new AddressRefusedError(refusal)
  if (found.some(address => classifyHost(address).reach === 'loopback'))
    throw new AddressRefusedError(`${host} is this machine, which is never called through a proxy. Add it to NO_PROXY.`)
}

function peerFault(address: string | undefined, policy: AddressPolicy, port: number): Error | null {
  if (address === undefined) return new Error('The connection was closed at once.')
  const refusal = policy.hostRefusal(address, port)
  return refusal === null ? null : new AddressRefusedError(refusal)
}

function checkedLookup(policy: AddressPolicy, port: number, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(entry => entry.address)
      const refusal = error ? null : (addresses.map(address => policy.hostRefusal(address, port)).find(reason => reason !== null) ?? null)
      if (refusal === null) callback(error, found, family)
      else callback(new AddressRefusedError(refusal), '')
    })
  }
}
